import type { EntryKey, PutEntry, Written } from '../../../libs/connector/contract.ts';
import { ConnectorError } from '../../../libs/connector/errors.ts';
import { areSame, labelsOf, readReference } from './marks.ts';
import { failures } from './failures.ts';
import { rewriteRows } from './rewrite.ts';
import { referenceOfWritten, toVariable } from './ownership.ts';
import type { OpenStore } from './project.ts';

type Result = Written | ConnectorError;
type Results = Map<PutEntry, Result>;

/**
 * Writes entries in three calls at most: new ones, which must not replace anything, and known ones, after a look whether
 * their rows are still the very rows that we wrote. Two kinds of known rows are edited one by one: a row whose
 * environments differ from the destination's or were changed at Vercel, and a row that was refused, because one that is
 * not sensitive cannot replace a sensitive one.
 */
export async function putEntries(
  store: OpenStore,
  entries: PutEntry[],
  signal: AbortSignal,
): Promise<Result[]> {
  const fresh = entries.filter(({ expect }) => expect === 'absent');
  const known = entries.filter((entry) => entry.expect === 'present' && isWrittenForThese(store, entry));
  const results: Results = new Map();
  await Promise.all([
    sendRows(store, { entries: fresh, upsert: false, results, signal }),
    sendKnownRows(store, known, results, signal),
  ]);
  const left = entries.filter((entry) => {
    const result = results.get(entry);
    return entry.expect === 'present' && (!result || isTakenOrRefused(result));
  });
  // If the whole destination fails, no further call is made.
  const stopped = [...results.values()].find(isOfDestination);
  if (!stopped)
    for (const [entry, result] of await rewriteRows(store, left, signal)) results.set(entry, result);
  return entries.map((entry) => results.get(entry) ?? stopped ?? failures.fail('unexpected_answer'));
}

async function sendKnownRows(
  store: OpenStore,
  known: PutEntry[],
  results: Results,
  signal: AbortSignal,
): Promise<void> {
  try {
    const entries = await findOwned(store, known, signal);
    await sendRows(store, { entries, upsert: true, results, signal });
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    for (const entry of known) results.set(entry, error);
  }
}

// Returns the entries whose very rows are still there, by their ids. A row that somebody created again under the same key
// has another id, and a write by key would replace it. One list call serves all entries.
async function findOwned(store: OpenStore, entries: PutEntry[], signal: AbortSignal): Promise<PutEntry[]> {
  if (entries.length === 0) return [];
  const { rows, requireAll } = await store.project.list(signal);
  const keys = new Map(rows.map(({ id, key }) => [id, key]));
  const owned = entries.filter(
    ({ name, reference }) => keys.get(readReference(reference)?.id ?? '') === name,
  );
  if (owned.length < entries.length) requireAll();
  return owned;
}

type Batch = { entries: PutEntry[]; upsert: boolean; results: Results; signal: AbortSignal };

async function sendRows(store: OpenStore, { entries, upsert, results, signal }: Batch): Promise<void> {
  if (entries.length === 0) return;
  try {
    const variables = entries.map((entry) => toVariable(store, entry));
    const reply = await store.project.create(variables, upsert, signal);
    for (const entry of entries) results.set(entry, resultFor(store, entry, reply));
  } catch (error) {
    if (!(error instanceof ConnectorError)) throw error;
    const isOfOneEntry = error.scope === 'entry' && (error.kind === 'client' || error.kind === 'exists');
    if (!isOfOneEntry || entries.length === 1) {
      for (const entry of entries) results.set(entry, error);
      return;
    }
    // Vercel refused the whole call because of one row, and may not say which: halving finds it.
    const middle = Math.ceil(entries.length / 2);
    await sendRows(store, { entries: entries.slice(0, middle), upsert, results, signal });
    await sendRows(store, { entries: entries.slice(middle), upsert, results, signal });
  }
}

function resultFor(
  store: OpenStore,
  { name }: PutEntry,
  { rows, refused }: Awaited<ReturnType<OpenStore['project']['create']>>,
): Result {
  const row = rows.find(({ key }) => key === name);
  if (row) return { reference: referenceOfWritten(store, row) };
  const refusal = refused.find(({ key }) => key === name) ?? refused.find(({ key }) => key === null);
  return refusal?.error ?? failures.fail('unexpected_answer');
}

/** Whether the ledger says that the row was written for the present environments of the destination. */
export function isWrittenForThese({ settings }: OpenStore, { reference }: EntryKey): boolean {
  const known = readReference(reference);
  return known !== null && areSame(known.environments, settings.deployment_environments);
}

/** The labels of the environments that a row was written for and that the destination no longer has. */
export function environmentsLost({ settings }: OpenStore, reference: string | null): string[] {
  const wanted: string[] = settings.deployment_environments;
  return labelsOf(readReference(reference)?.environments.filter((one) => !wanted.includes(one)) ?? []);
}

/** The labels of the environments of the destination that a row was not written for. */
export function environmentsGained({ settings }: OpenStore, reference: string | null): string[] {
  const written = readReference(reference)?.environments;
  return written ? labelsOf(settings.deployment_environments.filter((one) => !written.includes(one))) : [];
}

function isOfDestination(result: Result): boolean {
  return result instanceof ConnectorError && result.scope === 'destination';
}

function isTakenOrRefused(result: Result): boolean {
  if (!(result instanceof ConnectorError)) return false;
  return result.kind === 'exists' || result.code === 'request_refused';
}
