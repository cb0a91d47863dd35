import type { LedgerEntry } from '../../store/orders/order.ts';
import type { EntryKey } from '../contract.ts';
import { ConnectorError } from '../errors.ts';
import { bearsMarks } from '../marks.ts';
import type { PushTools } from './task.ts';

// How long a store may go on answering from a copy that is older than our own write.
const STALE_MS = 5000;

/**
 * Whether an entry that the ledger does not hold may be out there all the same: a creation whose outcome nobody learned.
 * Where the store bears no marks the ledger holds an entry before it is written, so there is no such doubt.
 */
export function isDoubtful(entry: LedgerEntry, { parts }: Pick<PushTools, 'parts'>): boolean {
  const mayBeWritten = !entry.held && entry.nameKey !== null && entry.writtenMsAgo !== null;
  return mayBeWritten && bearsMarks(parts.destination);
}

/**
 * What to remove of a leftover: of a doubtful one only what bears our mark; undefined where there is nothing of ours.
 * Throws where it is too early to believe a store that shows nothing.
 */
export async function findRemovable(entry: LedgerEntry, tools: PushTools): Promise<EntryKey | undefined> {
  const key = { name: entry.externalName, reference: entry.reference };
  if (entry.held) return key;
  const found = await tools.run((signal) => tools.session.read(key, signal));
  const wait = STALE_MS - (entry.writtenMsAgo ?? 0);
  if (!found && wait > 0) throw notShown(wait);
  return found?.owner === 'ours' ? { ...key, reference: found.reference ?? key.reference } : undefined;
}

function notShown(waitMs: number): ConnectorError {
  return new ConnectorError({
    kind: 'external',
    code: 'removal_unconfirmed',
    message:
      'the store shows no such entry, but one may just have been written; it is looked at again shortly',
    retryAfterMs: Math.ceil(waitMs),
  });
}
