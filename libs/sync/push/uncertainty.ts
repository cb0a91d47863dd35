import type { LedgerEntry } from '../../store/orders/order.ts';
import type { EntryResult } from '../../store/orders/result.ts';
import type { Destination } from '../../connector/contract.ts';
import { canTellOwner } from '../../connector/marks.ts';

/**
 * The store may still carry out a call that we gave up, after any later call, for up to a lease, and may then answer from
 * a copy without it for another. Until then no success is confirmed. Returns the milliseconds left, or null if nothing is uncertain.
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
