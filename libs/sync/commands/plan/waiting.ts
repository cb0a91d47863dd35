import type { LedgerEntry } from '../../../store/orders/order.ts';

const NEW_VALUE = 'a new value waits to be written';
const UNCONFIRMED = 'the last write is not confirmed, so the value is written again';

/**
 * Why the value of an entry is still to be written; null: it is not, or for another reason. After a write that is not
 * confirmed, the version tells whether the value is new, if the entry holds the whole secret.
 */
export function whyWaiting(
  { valueFingerprint: written, subKey, syncedVersion, foreignFingerprint: foreign }: LedgerEntry,
  wanted: string,
  version: number,
): string | null {
  if (written !== null) return written === wanted ? null : NEW_VALUE;
  if (foreign !== null) return null;
  return subKey === '' && syncedVersion !== version ? NEW_VALUE : UNCONFIRMED;
}
