import type { LedgerEntry } from '../../store/orders/order.ts';
import { recordOwned } from '../../store/orders/reserve.ts';
import type { WriteAction } from '../../store/orders/result.ts';
import type { Found, PutEntry, RetagEntry, Written } from '../../connector/contract.ts';
import { afterEffect, ConnectorError } from '../../connector/errors.ts';
import { canTellOwner } from '../../connector/marks.ts';
import { callInLease } from './call-limit.ts';
import { conflictPolicyFor, isLost, mustAskOwner, requireTakeOver } from './ownership.ts';
import type { CallRun, PushRun } from '../engine.ts';
import type { Write } from '../order.ts';
import { sameTags } from './plan.ts';

/** `action`: what we did; `reference`: what the ledger keeps; `ownerSeen`: whether we asked the store for the owner. */
export type WrittenEntry = {
  action: WriteAction;
  reference: string | null;
  ownerSeen: boolean;
};

/** Why an entry was not written. `left`: what the ledger knows of it now; `mayBeOurs`: it may hold our value all the same. */
export type UnwrittenEntry = { error: unknown; left: LedgerEntry; mayBeOurs: boolean };

// A write under way: a copy that the steps of this file change.
type Task = Omit<Write, 'entry'> & { entry: LedgerEntry; isLost: boolean };

// What the ledger keeps of an entry that it no longer holds.
const NOT_OWNED = { owned: false, reference: null, valueFingerprint: null, writtenTags: null };

/** Brings one entry to its value and tags with the fewest calls. Never throws. */
export async function writeEntry(write: Write, run: PushRun): Promise<WrittenEntry | UnwrittenEntry> {
  const task: Task = { ...write, entry: { ...write.entry }, isLost: false };
  const begin = task.entry.owned ? updateOwned : writeUnowned;
  try {
    return await callInLease(run, (signal) => begin(task, { ...run, signal }));
  } catch (error) {
    // After the time limit the task may still be under way. What counts is how far it had come until now.
    const left = task.isLost ? { ...write.entry, ...NOT_OWNED } : write.entry;
    return { error: isKind(error, 'missing') ? unsettled() : error, left, mayBeOurs: task.entry.owned };
  }
}

async function writeUnowned(write: Task, run: CallRun): Promise<WrittenEntry> {
  if (!run.engine.destination.createIsExclusive) {
    const found = await run.session.read(entryKeyOf(write), run.signal);
    return found ? takeOver(write, run, found) : create(write, run);
  }
  try {
    return await create(write, run);
  } catch (error) {
    if (!isKind(error, 'exists')) throw error;
    const found = await run.session.read(entryKeyOf(write), run.signal);
    if (found) return takeOver(write, run, found);
    // The name is taken, but there is no entry: the store is deleting it, or answers from a stale copy.
    throw contradiction(
      'name_blocked',
      'the store says that the name is taken, but shows no such entry; it is tried again later',
    );
  }
}

async function updateOwned(write: Task, run: CallRun): Promise<WrittenEntry> {
  const retag = run.session.retag !== undefined && !sameTags(write.entry.writtenTags, write.tags);
  if (!write.valueChanged && !retag)
    return { action: 'unchanged', reference: write.entry.reference, ownerSeen: false };
  const ownerSeen = mustAskOwner(write, run);
  if (ownerSeen && (await isLost(write.entry, run))) return writeUnowned(lose(write), run);
  try {
    const reference = write.valueChanged
      ? (await put(write, run, 'present')).reference
      : write.entry.reference;
    if (!retag) return { action: updateOf(write), reference, ownerSeen };
    const removed = Object.keys(write.entry.writtenTags ?? {}).filter(
      (key) => !Object.hasOwn(write.tags, key),
    );
    const retagging = (): Promise<string | null> => mark(write, run, { reference, removed });
    return write.valueChanged
      ? { action: updateOf(write), reference: await afterEffect(retagging), ownerSeen }
      : { action: 'tag', reference: await retagging(), ownerSeen };
  } catch (error) {
    // Somebody deleted it outside. We create it again, unless the name has another owner by now.
    if (isKind(error, 'missing')) return writeUnowned(lose(write), run);
    throw error;
  }
}

/** What the history calls a write to an entry of ours: it tells whether a change of somebody else is lost. */
export function updateOf({
  entry,
  fingerprint,
}: Pick<Write, 'entry' | 'fingerprint'>): 'update' | 'overwrite' {
  const { foreignFingerprint: foreign } = entry;
  return foreign === null || foreign === fingerprint ? 'update' : 'overwrite';
}

// What the ledger says about the former entry no longer holds for the name.
function lose(write: Task): Task {
  write.isLost = true;
  Object.assign(write.entry, NOT_OWNED);
  return write;
}

async function create(write: Task, run: CallRun): Promise<WrittenEntry> {
  await recordUnlessMarked(write, run);
  return { action: 'create', reference: (await put(write, run, 'absent')).reference, ownerSeen: true };
}

// With owner marks, the mark tells after a crash whose the entry is. Without them, the ledger must know it before the
// write.
async function recordUnlessMarked(write: Task, run: CallRun): Promise<void> {
  if (!canTellOwner(run.engine.destination)) await recordAsOwned(write, run);
}

async function recordAsOwned({ entry }: Task, run: CallRun): Promise<void> {
  await recordOwned(run.engine.context.db, entry.id);
  entry.owned = true;
}

// The name is taken by an entry that the ledger does not hold.
async function takeOver(write: Task, run: CallRun, found: Found): Promise<WrittenEntry> {
  await requireTakeOver(write, found, run.engine);
  const ours = found.owner === 'ours';
  await recordUnlessMarked(write, run);
  const known = { ...write, entry: { ...write.entry, reference: found.reference ?? write.entry.reference } };
  const isAdopted = conflictPolicyFor(write) === 'adopt';
  const hasValue = found.value === write.value && (ours || isAdopted);
  const equal = hasValue && found.becomes === undefined;
  const ownerSeen = true;
  if (ours && equal && Object.keys(write.tags).length === 0)
    return { action: 'unchanged', reference: known.entry.reference, ownerSeen };
  // The mark comes first. If we stopped between the two calls, our value would otherwise stay for ever in an entry
  // without a mark.
  const { reference: former } = known.entry;
  const reference = await mark(known, run, { reference: former, removed: [], isTakenOver: !ours });
  if (equal) return { action: ours ? 'tag' : 'adopt', reference, ownerSeen };
  if (!write.entry.owned) await recordAsOwned(write, run);
  const writing = (): Promise<Written> => put(known, run, 'present');
  const written = await (run.session.retag ? afterEffect(writing) : writing());
  const replacing = hasValue ? 'adopt' : isAdopted ? 'replace' : 'overwrite';
  return { action: ours ? updateOf(write) : replacing, reference: written.reference, ownerSeen };
}

async function mark(
  write: Task,
  run: CallRun,
  change: Pick<RetagEntry, 'reference' | 'removed' | 'isTakenOver'>,
): Promise<string | null> {
  if (!run.session.retag) return change.reference;
  const entry = { name: write.entry.externalName, tags: write.tags, ...change };
  return (await run.session.retag(entry, run.signal)).reference;
}

function put(write: Task, run: CallRun, expect: 'absent' | 'present'): Promise<Written> {
  return run.session.put(putEntry(write, expect), run.signal);
}

/** The entry in the form that the connector takes. */
export function putEntry(
  write: Pick<Write, 'value' | 'tags' | 'token' | 'entry'>,
  expect: 'absent' | 'present',
): PutEntry {
  return { value: write.value, tags: write.tags, expect, token: write.token, ...entryKeyOf(write) };
}

/** How connectors name the entry. */
export function entryKeyOf(write: Pick<Write, 'entry'>) {
  return { name: write.entry.externalName, reference: write.entry.reference };
}

function isKind(error: unknown, kind: ConnectorError['kind']): boolean {
  return error instanceof ConnectorError && error.kind === kind;
}

// Somebody deleted the entry meanwhile, or the store answers from copies that differ.
function unsettled(): ConnectorError {
  return contradiction(
    'entry_unsettled',
    'the store first showed the entry and then said that it does not exist; it is tried again later',
  );
}

function contradiction(code: string, message: string): ConnectorError {
  return new ConnectorError({ kind: 'external', code, message });
}
