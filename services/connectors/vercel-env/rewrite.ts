import type { PutEntry, Written } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { areWithin, readReference } from './marks.ts';
import { failures } from './failures.ts';
import type { Row } from './rows.ts';
import {
  isInTheWay,
  ownerOfRow,
  referenceOfWritten,
  sharedMessage,
  takenMessage,
  toVariable,
} from './ownership.ts';
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
  if (!areWithin(row.environments, [...environments, ...written]))
    return failures.fail('blocked', { message: sharedMessage(store, row) });
  // An edit of a sensitive row must not contain its key, not even the same one, and cannot change its kind.
  const { key: _key, type, ...change } = toVariable(store, entry);
  try {
    const edited = await store.project.edit(row.id, row.isSensitive ? change : { ...change, type }, signal);
    return edited ? { reference: referenceOfWritten(store, edited) } : gone();
  } catch (error) {
    const failure = requireConnectorError(error);
    if (failure.kind !== 'exists') return failure;
    const others = rows.filter((other) => other.id !== row.id && isInTheWay(store, other, row.key));
    return failures.fail('blocked', {
      message: takenMessage(store, others),
      requestId: failure.requestId,
    });
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

function requireConnectorError(error: unknown): ConnectorError {
  if (error instanceof ConnectorError) return error;
  throw error;
}
