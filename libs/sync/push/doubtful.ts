import type { LedgerEntry } from '../../store/orders/order.ts';
import type { EntryKey } from '../../connector/contract.ts';
import { bearsMarks } from '../../connector/marks.ts';
import type { PushTools } from './task.ts';
import { findOwned } from './write-entry.ts';

/**
 * Whether an entry that the ledger does not hold may be out there all the same: a creation whose outcome nobody learned.
 * Where the store bears no marks the ledger holds an entry before it is written, so there is no such doubt.
 */
export function isDoubtful(entry: LedgerEntry, { parts }: Pick<PushTools, 'parts'>): boolean {
  const mayBeWritten = !entry.held && entry.nameKey !== null && entry.writtenMsAgo !== null;
  return mayBeWritten && bearsMarks(parts.destination);
}

/**
 * What to remove of a leftover: of a doubtful one only what bears our mark; undefined where there is nothing of ours,
 * `foreign` where somebody else has the name of one that the ledger holds.
 */
export async function findRemovable(
  entry: LedgerEntry,
  { run, session, parts }: PushTools,
): Promise<EntryKey | 'foreign' | undefined> {
  if (entry.held)
    return run((signal) => findOwned(entry, { destination: parts.destination, session, signal }));
  const key = { name: entry.externalName, reference: entry.reference };
  const found = await run((signal) => session.read(key, signal));
  return found?.owner === 'ours' ? { ...key, reference: found.reference ?? key.reference } : undefined;
}
