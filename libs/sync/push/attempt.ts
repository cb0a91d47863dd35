import type { Cause, LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import type { Attempt, EntryResult } from '../../store/orders/result.ts';
import type { Failure } from './failure.ts';
import type { Target } from './plan.ts';

/** Collects what one order's attempt finds out, entry by entry. */
export type OrderAttempt = {
  order: WorkOrder;
  entries: EntryResult[];
  history: Attempt[];
  failures: Failure[];
  /** Something was left for later: time ran out, the store asked us to wait, or the process is stopping. */
  unfinished: boolean;
  /** A name that it wants belongs to another association. */
  waitsForName: boolean;
  /** When the entries that were written in uncertainty are to be written again, in milliseconds; see `confirmsInMs`. */
  confirmInMs: number | null;
};

export function beginAttempt(order: WorkOrder): OrderAttempt {
  return {
    order,
    entries: [],
    history: [],
    failures: [],
    unfinished: false,
    waitsForName: false,
    confirmInMs: null,
  };
}

/**
 * A call that was given up may be carried out for so long, after any later one. Until then no success is confirmed: the
 * milliseconds left, null where nothing is uncertain.
 */
export function confirmsInMs({ uncertainMsAgo }: LedgerEntry, leaseMs: number): number | null {
  if (uncertainMsAgo === null || uncertainMsAgo >= 2 * leaseMs) return null;
  return Math.ceil(2 * leaseMs - uncertainMsAgo);
}

/** The entry holds the target's value and tags; while that is not confirmed it counts as SYNCING. */
export function recordSynced(
  attempt: OrderAttempt,
  target: Target & { entry: LedgerEntry },
  outcome: {
    action: Attempt['action'];
    reference: string | null;
    tags: Record<string, string>;
    ownerSeen: boolean;
    durationMs: number;
  },
  leaseMs: number,
): void {
  const version = attempt.order.source?.version ?? null;
  const isUncertain = awaitConfirmation(attempt, target.entry, leaseMs);
  const status = isUncertain ? 'SYNCING' : 'SYNCED';
  attempt.entries.push({
    ...ledgerOf(target.entry),
    subKey: target.subKey,
    held: true,
    valuePrint: isUncertain ? null : target.print,
    valueBytes: target.bytes,
    writtenTags: outcome.tags,
    reference: outcome.reference,
    status,
    cause: null,
    syncedVersion: isUncertain ? target.entry.syncedVersion : version,
    wrote: outcome.action !== 'unchanged',
    uncertainty: isUncertain ? 'stays' : 'ends',
    ownerSeen: outcome.ownerSeen,
  });
  note(attempt, target.subKey, outcome.action, status, null, outcome.durationMs);
}

function awaitConfirmation(attempt: OrderAttempt, entry: LedgerEntry, leaseMs: number): boolean {
  const left = confirmsInMs(entry, leaseMs);
  if (left !== null) attempt.confirmInMs = Math.max(left, attempt.confirmInMs ?? 0);
  return left !== null;
}

/** The entry could not be brought to its value; an ambiguous failure leaves open what is out there. */
export function recordFailed(
  attempt: OrderAttempt,
  entry: LedgerEntry,
  subKey: string,
  failure: Failure,
  action: Attempt['action'],
  durationMs: number,
): void {
  attempt.failures.push(failure);
  attempt.entries.push({
    ...ledgerOf(entry),
    subKey,
    valuePrint: failure.ambiguous ? null : entry.valuePrint,
    status: failure.cause.class,
    cause: failure.cause,
    wrote: failure.ambiguous,
    uncertainty: failure.mayLandLate ? 'begins' : 'stays',
  });
  note(attempt, subKey, action, failure.cause.class, failure.cause, durationMs);
}

/** The entry stays outside as it is, though nothing wants it as it is. */
export function recordKept(
  attempt: OrderAttempt,
  entry: LedgerEntry,
  status: string,
  cause: Cause | null,
): void {
  attempt.entries.push({ ...ledgerOf(entry), status, cause });
}

/**
 * The entry was deleted, or was not there, while a write that was given up may still bring it back: its row stays until it
 * was looked at again. Where entries bear marks, the mark then tells whose one is; else what comes back counts as ours.
 */
export function recordGoneUnconfirmed(
  attempt: OrderAttempt,
  entry: LedgerEntry,
  outcome: { action: 'delete' | 'none'; isMarked: boolean; durationMs: number },
  leaseMs: number,
): void {
  awaitConfirmation(attempt, entry, leaseMs);
  attempt.entries.push({
    ...ledgerOf(entry),
    held: !outcome.isMarked,
    valuePrint: null,
    reference: null,
    status: 'UNSYNCING',
    wrote: true,
  });
  note(attempt, entry.subKey, outcome.action, 'UNSYNCING', null, outcome.durationMs);
}

/** Nothing of the entry is left outside, or nothing that we would delete; `left` says why an entry of its name stays. */
export function recordGone(
  attempt: OrderAttempt,
  entry: LedgerEntry,
  action: 'delete' | 'none',
  durationMs: number,
  left: Cause | null = null,
): void {
  attempt.entries.push({ ...ledgerOf(entry), gone: true, wrote: action === 'delete' });
  if (action === 'delete' || left) note(attempt, entry.subKey, action, 'UNSYNCED', left, durationMs);
}

function note(
  attempt: OrderAttempt,
  subKey: string,
  action: Attempt['action'],
  outcome: string,
  cause: Cause | null,
  durationMs: number,
): void {
  attempt.history.push({
    subKey,
    action,
    sourceVersion: attempt.order.source?.version ?? null,
    outcome,
    cause,
    durationMs: Math.round(durationMs),
  });
}

function ledgerOf(entry: LedgerEntry): EntryResult {
  return {
    id: entry.id,
    subKey: entry.subKey,
    held: entry.held,
    valuePrint: entry.valuePrint,
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
