import type { Cause, LedgerEntry } from '../../store/orders/order.ts';
import type { Attempt, EntryResult } from '../../store/orders/result.ts';
import type { Destination } from '../../connector/contract.ts';
import { canTellOwner } from '../../connector/marks.ts';
import type { Failure, Plan, Write } from '../order.ts';

/**
 * The store may still carry out a call that we gave up, after any later call, for up to two leases. Until then no success
 * is confirmed. Returns the milliseconds left, or null if nothing is uncertain.
 */
export function confirmsInMs({ uncertainMsAgo }: LedgerEntry, leaseMs: number): number | null {
  if (uncertainMsAgo === null || uncertainMsAgo >= 2 * leaseMs) return null;
  return Math.ceil(2 * leaseMs - uncertainMsAgo);
}

/**
 * A store may answer from a copy that does not show an entry yet. We believe that an entry is missing only two leases
 * after we wrote it, or when a second look finds it missing again. Returns the milliseconds left, or null if we believe
 * it.
 */
export function visibleInMs({ owned, status, writtenMsAgo }: LedgerEntry, leaseMs: number): number | null {
  if (!owned || status === 'UNSYNCING' || writtenMsAgo === null || writtenMsAgo >= 2 * leaseMs) return null;
  return Math.ceil(2 * leaseMs - writtenMsAgo);
}

/**
 * Whether an entry that the ledger does not hold may still exist outside: nobody learned the outcome of its creation.
 * Without owner marks this cannot be, because the ledger then holds an entry before it is written.
 */
export function isUnconfirmedCreate(entry: LedgerEntry, destination: Destination): boolean {
  const mayBeWritten = !entry.owned && entry.nameKey !== null && entry.writtenMsAgo !== null;
  return mayBeWritten && canTellOwner(destination);
}

/** Whether a value is outside, confirmed or not yet. */
export function isWritten({ status }: Pick<EntryResult, 'status'>): boolean {
  return status === 'SYNCED' || status === 'SYNCING';
}

/** The entry holds the target's value and tags. It counts as SYNCING until that is confirmed. */
export function recordSynced(
  plan: Plan,
  write: Write,
  outcome: {
    action: Attempt['action'];
    reference: string | null;
    tags: Record<string, string>;
    ownerSeen: boolean;
    durationMs: number;
  },
  leaseMs: number,
): void {
  const secretVersion = plan.order.source?.secretVersion ?? null;
  const isUncertain = awaitConfirmation(plan, write.entry, leaseMs);
  const status = isUncertain ? 'SYNCING' : 'SYNCED';
  plan.entries.push({
    ...ledgerOf(write.entry),
    subKey: write.subKey,
    owned: true,
    valueFingerprint: isUncertain ? null : write.fingerprint,
    valueBytes: write.bytes,
    writtenTags: outcome.tags,
    reference: outcome.reference,
    status,
    cause: null,
    syncedVersion: isUncertain ? write.entry.syncedVersion : secretVersion,
    wrote: outcome.action !== 'unchanged',
    uncertainty: isUncertain ? 'stays' : 'ends',
    ownerSeen: outcome.ownerSeen,
  });
  note(plan, write.subKey, outcome.action, status, null, outcome.durationMs);
}

function awaitConfirmation(plan: Plan, entry: LedgerEntry, leaseMs: number): boolean {
  const left = confirmsInMs(entry, leaseMs);
  if (left !== null) plan.confirmInMs = Math.max(left, plan.confirmInMs ?? 0);
  return left !== null;
}

/** The entry could not get its value. After an ambiguous failure nobody knows what is outside. */
export function recordFailed(
  plan: Plan,
  entry: LedgerEntry,
  subKey: string,
  failure: Failure,
  action: Attempt['action'],
  durationMs: number,
): void {
  plan.failures.push(failure);
  plan.entries.push({
    ...ledgerOf(entry),
    subKey,
    valueFingerprint: failure.ambiguous ? null : entry.valueFingerprint,
    status: failure.cause.class,
    cause: failure.cause,
    wrote: failure.ambiguous,
    uncertainty: failure.mayLandLate ? 'begins' : 'stays',
  });
  note(plan, subKey, action, failure.cause.class, failure.cause, durationMs);
}

/** The entry stays outside unchanged, although the order no longer wants it as it is. */
export function recordKept(plan: Plan, entry: LedgerEntry, status: string, cause: Cause | null): void {
  plan.entries.push({ ...ledgerOf(entry), status, cause });
}

/**
 * The entry was deleted or was missing, but a write that we gave up may still bring it back. So its row stays until a
 * second look. With owner marks, the mark then says whose an entry of that name is. Without them, an entry that comes
 * back counts as ours.
 */
export function recordGoneUnconfirmed(
  plan: Plan,
  entry: LedgerEntry,
  outcome: { action: 'delete' | 'none'; isMarked: boolean; durationMs: number; waitMs: number },
): void {
  plan.confirmInMs = Math.max(outcome.waitMs, plan.confirmInMs ?? 0);
  plan.entries.push({
    ...ledgerOf(entry),
    owned: !outcome.isMarked,
    valueFingerprint: null,
    reference: null,
    status: 'UNSYNCING',
    // A missing entry was not changed, so the time since its last write still counts.
    wrote: outcome.action === 'delete',
  });
  note(plan, entry.subKey, outcome.action, 'UNSYNCING', null, outcome.durationMs);
}

/** Nothing of the entry is left outside, or nothing that we would delete. `left` says why an entry of its name stays. */
export function recordGone(
  plan: Plan,
  entry: LedgerEntry,
  action: 'delete' | 'none',
  durationMs: number,
  left: Cause | null = null,
): void {
  plan.entries.push({ ...ledgerOf(entry), gone: true, wrote: action === 'delete' });
  if (action === 'delete' || left) note(plan, entry.subKey, action, 'UNSYNCED', left, durationMs);
}

function note(
  plan: Plan,
  subKey: string,
  action: Attempt['action'],
  outcome: string,
  cause: Cause | null,
  durationMs: number,
): void {
  plan.history.push({
    subKey,
    action,
    sourceVersion: plan.order.source?.secretVersion ?? null,
    outcome,
    cause,
    durationMs: Math.round(durationMs),
  });
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
