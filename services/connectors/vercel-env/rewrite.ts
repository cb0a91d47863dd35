import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { areWithin, readReference, joinEnvironments } from './marks.ts';
import { failures } from './failures.ts';
import type { Row } from './rows.ts';
import { isInTheWay, ownerOfRow, referenceOfWritten, toVariable } from './ownership.ts';
import type { OpenStore } from './project.ts';

type Result = Written | ConnectorError;

/**
 * Edits rows by their id, so that a row keeps its id when the destination's environments change. Looks at the rows first:
 * a row that also serves environments that we never wrote it for stays as it is, with its value.
 */
export async function rewriteRows(
  store: OpenStore,
  entries: PutEntry[],
  signal: AbortSignal,
): Promise<Map<PutEntry, Result>> {
  const results = new Map<PutEntry, Result>();
  if (entries.length === 0) return results;
  let stopped: ConnectorError | undefined;
  let rows: Row[] = [];
  try {
    ({ rows } = await store.project.list(signal));
  } catch (error) {
    stopped = requireConnectorError(error);
  }
  for (const entry of entries) {
    const result = stopped ?? (await rewriteRow(store, entry, rows, signal));
    results.set(entry, result);
    // If the whole destination fails, the next row would fail too.
    if (result instanceof ConnectorError && result.scope === 'destination') stopped = result;
  }
  return results;
}

async function rewriteRow(
  store: OpenStore,
  entry: PutEntry,
  rows: Row[],
  signal: AbortSignal,
): Promise<Result> {
  const row = findOwned(store, entry, rows);
  if (!row) return gone();
  const { deployment_environments: environments } = store.settings;
  const written = readReference(entry.reference)?.environments ?? [];
  if (!areWithin(row.environments, [...environments, ...written])) return sharedWithOthers(store, row);
  // An edit of a sensitive row must not contain its key, not even the same one, and cannot change its kind.
  const { key: _key, type, ...change } = toVariable(store, entry);
  try {
    const edited = await store.project.edit(row.id, row.isSensitive ? change : { ...change, type }, signal);
    return edited ? { reference: referenceOfWritten(store, edited) } : gone();
  } catch (error) {
    const failure = requireConnectorError(error);
    return failure.kind === 'exists' ? environmentTaken(store, failure) : failure;
  }
}

function findOwned(store: OpenStore, { name, reference }: PutEntry, rows: Row[]): Row | undefined {
  const known = readReference(reference);
  if (known) return rows.find(({ id, key }) => id === known.id && key === name);
  const candidates = rows.filter((row) => isInTheWay(store, row, name));
  return candidates.find((row) => ownerOfRow(store, row, null) === 'ours') ?? candidates[0];
}

function gone(): ConnectorError {
  return failures.fail('not_found');
}

// Neither is a conflict: no decision about the entry would end it.
function sharedWithOthers(store: OpenStore, row: Row): ConnectorError {
  const wanted = joinEnvironments(store.settings.deployment_environments);
  return failures.fail('blocked', {
    message: `At Vercel, this variable also has environments outside this destination (it has ${joinEnvironments(row.environments)}; the destination has ${wanted}). A change would affect them too, so it cannot be adopted or overwritten: split the variable there, give the link another name, or unlink the secret.`,
  });
}

function environmentTaken({ project }: OpenStore, { requestId }: ConnectorError): ConnectorError {
  return failures.fail('blocked', {
    message: `Another variable of this name in ${project.container} already has one of the destination's environments. It cannot be adopted or overwritten: remove it there, choose other environments for the destination, give the link another name, or unlink the secret.`,
    requestId,
  });
}

function requireConnectorError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  throw error;
}
