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
  /** A call that was given up earlier may still be carried out, after ours: its entry is written once more. */
  overtakable: boolean;
};

export function beginAttempt(order: WorkOrder): OrderAttempt {
  return { order, entries: [], history: [], failures: [], unfinished: false, overtakable: false };
}

/** The entry holds the target's value and tags. */
export function recordSynced(
  attempt: OrderAttempt,
  target: Target & { entry: LedgerEntry },
  outcome: {
    action: Attempt['action'];
    reference: string | null;
    tags: Record<string, string>;
    durationMs: number;
  },
): void {
  const version = attempt.order.source?.version ?? null;
  const wrote = outcome.action !== 'unchanged';
  const overtakable = wrote && isGivenUp(target.entry);
  attempt.overtakable ||= overtakable;
  attempt.entries.push({
    ...ledgerOf(target.entry),
    subKey: target.subKey,
    held: true,
    valuePrint: overtakable ? null : target.print,
    valueBytes: target.bytes,
    writtenTags: outcome.tags,
    reference: outcome.reference,
    status: 'SYNCED',
    cause: null,
    syncedVersion: version,
    wrote,
  });
  note(attempt, target.subKey, outcome.action, 'SYNCED', null, outcome.durationMs);
}

// Nobody knows what became of the last write, and its failure was the last thing heard of the entry.
function isGivenUp({ valuePrint, writtenMsAgo, status }: LedgerEntry): boolean {
  return valuePrint === null && writtenMsAgo !== null && status === 'EXTERNAL_SERVICE_ERROR';
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
  });
  note(attempt, subKey, action, failure.cause.class, failure, durationMs);
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

/** Nothing of the entry is left outside, or nothing that we would delete. */
export function recordGone(
  attempt: OrderAttempt,
  entry: LedgerEntry,
  action: 'delete' | 'none',
  durationMs: number,
): void {
  attempt.entries.push({ ...ledgerOf(entry), gone: true, wrote: action === 'delete' });
  if (action === 'delete') note(attempt, entry.subKey, action, 'UNSYNCED', null, durationMs);
}

function note(
  attempt: OrderAttempt,
  subKey: string,
  action: Attempt['action'],
  outcome: string,
  failure: Failure | null,
  durationMs: number,
): void {
  attempt.history.push({
    subKey,
    action,
    sourceVersion: attempt.order.source?.version ?? null,
    outcome,
    cause: failure?.cause ?? null,
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
    gone: false,
  };
}
