import type { LedgerEntry } from '../../store/orders/order.ts';
import { hasOtherHolder, releaseShared } from '../../store/orders/shared-names.ts';
import type { Destination, EntryKey, Found, Session } from '../../connector/contract.ts';
import { ConnectorError } from '../../connector/errors.ts';
import { bearsMarks } from '../../connector/marks.ts';
import type { EngineParts, PushTools } from './call.ts';
import type { Write } from './plan.ts';

type Store = { destination: Destination; session: Session; signal: AbortSignal };

/** An entry of a destination, with what the store or the ledger says of it. */
export type OwnEntry = { destinationId: number; entry: LedgerEntry; reference: string | null };

/** Whether the store must say whose a held entry is before it is updated. */
export function mustAskOwner({ entry, plan }: Write, { session }: Store): boolean {
  if (!session.findOwner) return false;
  return entry.ownerSeenMsAgo === null || entry.ownerSeenMsAgo >= plan.order.destination.ownerCheckMs;
}

/** Whether a held entry is gone, or somebody else's by now. */
export async function isLost(entry: LedgerEntry, store: Store): Promise<boolean> {
  const owned = await findOwned(entry, store);
  // What is gone has nothing to replace. Where entries bear no marks it must stay held: it may only not be shown yet, and
  // would look like somebody else's once it is.
  return owned === 'foreign' || (owned === undefined && bearsMarks(store.destination));
}

/**
 * What an entry that the ledger holds is at the store: the key of this very entry, undefined where it is gone, `foreign`
 * where somebody else made one of that name.
 */
export async function findOwned(
  entry: LedgerEntry,
  { destination, session, signal }: Store,
): Promise<EntryKey | 'foreign' | undefined> {
  const key = { name: entry.externalName, reference: entry.reference };
  if (!session.findOwner) return key;
  const owned = await session.findOwner(key, signal);
  if (!owned) return undefined;
  // Where entries bear no marks, of one whose identity was never learned the ledger alone says that it is ours.
  const isOurs = owned.owner === 'ours' || (owned.owner === 'unmarked' && !bearsMarks(destination));
  return isOurs ? { ...key, reference: owned.reference ?? key.reference } : 'foreign';
}

/**
 * What to remove of a leftover: of an unconfirmed create only what bears our mark; undefined where there is nothing of ours,
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
/** Throws ConnectorError where an entry that the ledger does not hold must be left as it is: only our mark or the person's choice lets us write. */
export async function requireTakeOver(
  { plan }: Write,
  found: Found,
  isShared: (reference: string | null) => Promise<boolean>,
): Promise<void> {
  const ours = found.owner === 'ours';
  if (!ours && plan.order.destination.conflictPolicy === 'refuse') throw foreignEntry(found);
  if (ours && (await isShared(found.reference))) throw sharedEntry();
}

/** Whether another destination, whose container is the same one after all, holds the very same entry. */
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

function foreignEntry(found: Found): ConnectorError {
  const whose =
    found.owner === 'other' ? 'bears the mark of another installation' : 'was not written by this service';
  return new ConnectorError({
    kind: 'client',
    code: 'conflict',
    message: `an entry of that name ${whose}; remove or rename it, or set conflict_policy to overwrite or adopt`,
  });
}

// Two destinations of one container, though their settings do not tell: each would overwrite and delete the other's.
function sharedEntry(): ConnectorError {
  return new ConnectorError({
    kind: 'client',
    code: 'conflict',
    message:
      'another destination of this service writes to the same account or project and manages the entry of that name; give one of them another secret_name_template',
  });
}
