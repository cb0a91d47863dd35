import type { Cause, LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import type { Attempt, EntryResult, RemovalAction } from '../../store/orders/result.ts';
import type { Failure, StepOutcome, Write } from '../order.ts';
import { driftCause, type DriftCode } from './drift.ts';
import { confirmsInMs } from './uncertainty.ts';

/** What a line of the history is about that concerns the whole order. */
export const NO_ENTRY = { subKey: '', externalName: '' };

/** What the ledger is to say of the entries that are done with. */
export function resultsOf(outcomes: readonly StepOutcome[]): EntryResult[] {
  return outcomes.flatMap(({ entry }) => entry ?? []);
}

/** The entry holds the write's value and tags. It counts as SYNCING until that is confirmed. */
export function syncedEntry(
  write: Write,
  done: {
    action: Attempt['action'];
    reference: string | null;
    ownerSeen: boolean;
    durationMs: number;
  },
  leaseMs: number,
): StepOutcome {
  const { order, entry } = write;
  const confirmInMs = confirmsInMs(entry, leaseMs);
  const isUncertain = confirmInMs !== null;
  const status = isUncertain ? 'SYNCING' : 'SYNCED';
  const attempt = lineOf(
    order,
    { ...entry, subKey: write.subKey },
    { action: done.action, outcome: status, durationMs: done.durationMs },
  );
  return {
    entry: {
      ...ledgerOf(entry),
      subKey: write.subKey,
      owned: true,
      valueFingerprint: isUncertain ? null : write.fingerprint,
      valueBytes: write.bytes,
      writtenTags: write.tags,
      reference: done.reference,
      status,
      syncedVersion: isUncertain ? entry.syncedVersion : versionOf(order),
      wrote: done.action !== 'unchanged',
      uncertainty: isUncertain ? 'stays' : 'ends',
      ownerSeen: done.ownerSeen,
    },
    ...(isSaidBefore(write, done.action) ? {} : { attempt }),
    confirmInMs,
  };
}

// While another key of the secret is tried again, this one is compared each time.
function isSaidBefore({ order, entry }: Write, action: Attempt['action']): boolean {
  return action === 'unchanged' && isDoneBefore({ order, entry }) && entry.syncedVersion === versionOf(order);
}

function isDoneBefore({ order, entry }: Pick<Write, 'order' | 'entry'>): boolean {
  const isRetry = order.trigger?.cause === 'write' || order.trigger?.cause === 'schedule';
  return isRetry && entry.status === 'SYNCED';
}

/** The entry could not get its value. After an ambiguous failure nobody knows what is outside. */
export function failedEntry(
  order: WorkOrder,
  entry: LedgerEntry,
  failure: Failure,
  { subKey = entry.subKey, ...tried }: { subKey?: string; action: Attempt['action']; durationMs: number },
): StepOutcome {
  const { cause } = failure;
  return {
    entry: {
      ...ledgerOf(entry),
      subKey,
      valueFingerprint: failure.ambiguous ? null : entry.valueFingerprint,
      status: cause.class,
      cause,
      wrote: failure.ambiguous,
      uncertainty: failure.mayLandLate ? 'begins' : 'stays',
    },
    attempt: lineOf(order, { ...entry, subKey }, { ...tried, outcome: cause.class, cause }),
    failure,
  };
}

/** Somebody has changed or deleted the entry, and it stays so. `found`: the fingerprint of the value there, in hex. */
export function driftedEntry(
  write: Write,
  {
    code,
    found,
    durationMs,
    ...foreign
  }: { code: DriftCode; found: string | null; durationMs: number; foreign?: true },
) {
  const { order, entry, subKey } = write;
  const cause = driftCause(code);
  const action = code === 'gone_outside' ? 'missing' : 'changed';
  return {
    entry: {
      ...ledgerOf(entry),
      subKey,
      status: 'SYNCED',
      drift: { cause: { ...cause, ...foreign }, found },
    },
    attempt: lineOf(order, { ...entry, subKey }, { action, outcome: 'DRIFTED', cause, durationMs }),
  } satisfies StepOutcome;
}

/** Somebody is known to have changed the entry, and it stays so, as the ledger has it: the order is not about that. */
export function leftEntry(write: Write): StepOutcome {
  const { entry, attempt } = driftedEntry(write, { code: 'changed_outside', found: null, durationMs: 0 });
  const { drift: _known, ...left } = entry;
  return { entry: left, ...(isDoneBefore(write) ? {} : { attempt }) };
}

/** The same outcome of a step that made no call: the history tells of no attempt. */
export function untried({ attempt: _none, ...outcome }: StepOutcome): StepOutcome {
  return outcome;
}

/** The entry stays outside unchanged, although the order no longer wants it as it is. */
export function keptEntry(entry: LedgerEntry, status: string, cause: Cause | null): StepOutcome {
  return { entry: { ...ledgerOf(entry), status, cause } };
}

/**
 * The entry was deleted or was missing, but a write that we gave up may still bring it back. So its row stays until a
 * second look. With owner marks, the mark then says whose an entry of that name is. Without them, an entry that comes
 * back counts as ours.
 */
export function unconfirmedRemoval(
  order: WorkOrder,
  entry: LedgerEntry,
  done: { action: RemovalAction; isMarked: boolean; durationMs: number; confirmInMs: number },
): StepOutcome {
  const { action, durationMs, confirmInMs } = done;
  return {
    entry: {
      ...ledgerOf(entry),
      owned: !done.isMarked,
      valueFingerprint: null,
      reference: null,
      status: 'UNSYNCING',
      // A missing entry was not changed, so the time since its last write still counts.
      wrote: action === 'delete',
    },
    attempt: lineOf(order, entry, { action, outcome: 'UNSYNCING', durationMs }),
    confirmInMs,
  };
}

/**
 * Nothing of the entry is left outside, or nothing that we would delete. `done`: what the history is to tell of that.
 * `left` says why an entry of its name stays.
 */
export function goneEntry(
  order: WorkOrder,
  entry: LedgerEntry,
  done?: { action: RemovalAction; durationMs: number; left?: Cause | null },
): StepOutcome {
  return {
    entry: { ...ledgerOf(entry), gone: true, wrote: done?.action === 'delete' },
    ...(done && {
      attempt: lineOf(order, entry, {
        action: done.action,
        outcome: 'UNSYNCED',
        cause: done.left ?? null,
        durationMs: done.durationMs,
      }),
    }),
  };
}

/** A line of the history about an entry, or about `NO_ENTRY`. */
export function lineOf(
  order: WorkOrder,
  { subKey, externalName }: Pick<LedgerEntry, 'subKey' | 'externalName'>,
  {
    cause = null,
    ...tried
  }: Pick<Attempt, 'action' | 'outcome' | 'durationMs'> & { cause?: Attempt['cause'] },
): Attempt {
  const durationMs = Math.round(tried.durationMs);
  // A value whose name could not be made has an entry without one.
  return {
    ...tried,
    subKey,
    externalName: externalName || null,
    sourceVersion: versionOf(order),
    cause,
    durationMs,
  };
}

function versionOf({ source }: WorkOrder): number | null {
  return source?.secretVersion ?? null;
}

function ledgerOf(entry: LedgerEntry): EntryResult {
  return {
    id: entry.id,
    subKey: entry.subKey,
    owned: entry.owned,
    valueFingerprint: entry.valueFingerprint,
    valueBytes: entry.valueBytes,
    writtenTags: entry.writtenTags,
    reference: entry.reference,
    status: entry.status,
    cause: null,
    syncedVersion: entry.syncedVersion,
    wrote: false,
    uncertainty: 'stays',
    ownerSeen: false,
    gone: false,
  };
}
