import type { LedgerEntry } from '../../store/orders/order.ts';
import { hasOtherHolder, releaseShared } from '../../store/orders/shared-names.ts';
import type { EngineParts } from '../parts.ts';

/** An entry of a destination, with what the store or the ledger says of it. */
export type OwnEntry = { destinationId: number; entry: LedgerEntry; reference: string | null };

/** Whether another destination, at a place that is the same container after all, holds the very same entry. */
export function isHeldElsewhere(own: OwnEntry, parts: EngineParts): Promise<boolean> {
  return askLedger(hasOtherHolder, own, parts);
}

/** Leaves an entry that was to be deleted to the other destination that holds it; false where there is none. */
export function leaveElsewhere(own: OwnEntry, parts: EngineParts): Promise<boolean> {
  return askLedger(releaseShared, own, parts);
}

async function askLedger(
  question: typeof hasOtherHolder,
  { destinationId, entry, reference }: OwnEntry,
  { context, destination }: EngineParts,
): Promise<boolean> {
  const { id: entryId, nameKey } = entry;
  const { type, identityOf } = destination;
  if (nameKey === null || !identityOf) return false;
  return question(context.db, { entryId, destinationId, type, nameKey, reference }, identityOf);
}
