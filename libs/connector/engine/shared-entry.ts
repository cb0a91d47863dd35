import type { LedgerEntry } from '../../store/orders/order.ts';
import { hasOtherHolder, releaseShared, type NamedEntry } from '../../store/orders/shared-names.ts';
import type { EngineParts } from './parts.ts';

/** An entry of a destination, with what the store or the ledger says of it. */
export type OwnEntry = { destinationId: number; entry: LedgerEntry; reference: string | null };

/** Whether another destination, at a place that is the same container after all, holds the very same entry. */
export async function isHeldElsewhere(own: OwnEntry, parts: EngineParts): Promise<boolean> {
  const { identityOf } = parts.destination;
  const named = identityOf && nameOf(own, parts);
  return named ? hasOtherHolder(parts.context.db, named, identityOf) : false;
}

/** Leaves an entry that was to be deleted to the other destination that holds it; false where there is none. */
export async function leaveElsewhere(own: OwnEntry, parts: EngineParts): Promise<boolean> {
  const { identityOf } = parts.destination;
  const named = identityOf && nameOf(own, parts);
  return named ? releaseShared(parts.context.db, named, identityOf) : false;
}

function nameOf({ destinationId, entry, reference }: OwnEntry, parts: EngineParts): NamedEntry | undefined {
  const { id: entryId, nameKey } = entry;
  return nameKey === null
    ? undefined
    : { entryId, destinationId, type: parts.destination.type, nameKey, reference };
}
