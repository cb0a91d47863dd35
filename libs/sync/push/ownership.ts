import type { LedgerEntry, WorkOrder } from '../../store/orders/order.ts';
import { hasOtherHolder, releaseShared } from '../../store/orders/shared-names.ts';
import type { Decision } from '../../store/due/trigger.ts';
import type { EntryKey, Found } from '../../connector/contract.ts';
import { ConnectorError } from '../../connector/errors.ts';
import { canTellOwner } from '../../connector/marks.ts';
import type { CallRun, Engine, PushRun } from '../engine.ts';
import type { Write } from '../order.ts';
import { callInLease } from './call-limit.ts';
import { fingerprintOf } from './drift.ts';

/** An entry of a destination, with the reference that the store or the ledger gives. */
export type OwnEntry = { destinationId: number; entry: LedgerEntry; reference: string | null };

/** Whether we must ask the store for the owner of an owned entry before we update it. */
export function mustAskOwner(
  { entry, order }: Pick<Write, 'entry' | 'order'>,
  { session }: PushRun,
): boolean {
  if (!session.findOwner) return false;
  return entry.ownerSeenMsAgo === null || entry.ownerSeenMsAgo >= order.destination.ownerCheckMs;
}

/** Whether an owned entry is gone or now belongs to somebody else. */
export async function isLost(entry: LedgerEntry, run: CallRun): Promise<boolean> {
  const owned = await findOwned(entry, run);
  // A missing entry is lost: nothing is left to update. But without owner marks it stays owned: perhaps the store does not
  // show it yet. If we let it go, it would look like somebody else's entry once the store shows it.
  return owned === 'foreign' || (owned === undefined && canTellOwner(run.engine.destination));
}

/**
 * Finds an entry that the ledger holds at the store. Returns the key of this very entry; undefined if it is gone;
 * `foreign` if somebody else made an entry of that name.
 */
export async function findOwned(
  entry: LedgerEntry,
  { engine, session, signal }: CallRun,
): Promise<EntryKey | 'foreign' | undefined> {
  const key = { name: entry.externalName, reference: entry.reference };
  if (!session.findOwner) return key;
  const owned = await session.findOwner(key, signal);
  if (!owned) return undefined;
  if (!isOurs(owned, engine.destination)) return 'foreign';
  return { ...key, reference: owned.reference ?? key.reference };
}

/** Whether an entry that the ledger holds is ours by what the store says. Without owner marks, it may not say it. */
export function isOurs({ owner }: Pick<Found, 'owner'>, destination: Engine['destination']): boolean {
  return owner === 'ours' || (owner === 'unmarked' && !canTellOwner(destination));
}

/** Whether what the store has in place of an entry that the ledger holds, by its reference, is no longer that entry. */
export function isAnother(
  found: Found,
  { reference, session, engine }: Pick<PushRun, 'session' | 'engine'> & Pick<LedgerEntry, 'reference'>,
): boolean {
  const { identityOf } = engine.destination;
  const identify = (one: string | null): string | null =>
    one !== null && identityOf ? identityOf(one) : one;
  // Where a removal does not ask for the owner, it names the very entry.
  return session.findOwner
    ? !isOurs(found, engine.destination)
    : identify(found.reference) !== identify(reference);
}

/**
 * What to remove of a leftover. For an unconfirmed create, only an entry that bears our mark. Undefined if nothing of
 * ours is there; `foreign` if somebody else has its name.
 */
export async function findRemovable(
  entry: LedgerEntry,
  run: PushRun,
): Promise<EntryKey | 'foreign' | undefined> {
  if (entry.owned) return callInLease(run, (signal) => findOwned(entry, { ...run, signal }));
  const key = { name: entry.externalName, reference: entry.reference };
  const found = await callInLease(run, (signal) => run.session.read(key, signal));
  if (!found) return undefined;
  return found.owner === 'ours' ? { ...key, reference: found.reference ?? key.reference } : 'foreign';
}

/** What a person decided about an entry of somebody else that has the name of a key's. */
export function decisionAbout(
  subKey: string,
  { decision = null, decidedKeys }: Pick<WorkOrder, 'decision' | 'decidedKeys'>,
): Decision | null {
  return (decidedKeys?.includes(subKey) ?? true) ? decision : null;
}

/** What becomes of such an entry: that, or else what the destination says. */
export function conflictPolicyFor({
  order,
  subKey,
}: Pick<Write, 'order' | 'subKey'>): WorkOrder['destination']['conflictPolicy'] {
  return decisionAbout(subKey, order) ?? order.destination.conflictPolicy;
}

/**
 * Throws ConnectorError unless we may write an entry that the ledger does not hold: it must bear our mark, or the user's
 * conflict policy must allow it. An entry of ours that another destination holds stays with that destination.
 */
export async function requireTakeOver(
  { order, entry, subKey }: Pick<Write, 'order' | 'entry' | 'subKey'>,
  found: Found,
  engine: Engine,
): Promise<void> {
  if (isUnexpected({ order, entry }, found, engine)) throw changedEntry();
  const ours = found.owner === 'ours';
  if (!ours && found.blocked !== undefined) throw blockedEntry(found.blocked);
  if (!ours && conflictPolicyFor({ order, subKey }) === 'refuse') throw foreignEntry(found);
  const own = { destinationId: order.destination.id, entry, reference: found.reference };
  if (ours && (await isSharedEntry(own, engine))) throw sharedEntry();
}

// Whether another destination, whose container turned out to be the same, holds the very same entry.
function isSharedEntry(own: OwnEntry, engine: Engine): Promise<boolean> {
  return askLedger(hasOtherHolder, own, engine);
}

/** Leaves an entry that was to be deleted to the other destination that holds it. Returns false if there is none. */
export function leaveElsewhere(own: OwnEntry, engine: Engine): Promise<boolean> {
  return askLedger(releaseShared, own, engine);
}

async function askLedger(
  question: typeof hasOtherHolder,
  { destinationId, entry, reference }: OwnEntry,
  { context, destination }: Engine,
): Promise<boolean> {
  const { id: entryId, nameKey } = entry;
  const { type, identityOf } = destination;
  if (nameKey === null || !identityOf) return false;
  return question(context.db, { entryId, destinationId, type, nameKey, reference }, identityOf);
}

function foreignEntry(found: Found): ConnectorError {
  const whose = found.owner === 'other' ? 'is managed by another installation' : 'is not managed by Sealift';
  return new ConnectorError({
    kind: 'client',
    code: 'conflict',
    message: `An entry with this name already exists and ${whose}. Adopt or overwrite it, rename or delete it in the store, or give the link another name.`,
  });
}

// Somebody changed the entry after a person had looked at it and decided about it.
function isUnexpected(
  { order, entry }: Pick<Write, 'order' | 'entry'>,
  { owner, value }: Found,
  engine: Engine,
): boolean {
  const expected = order.expected?.[entry.externalName];
  if (owner === 'ours' || value === null || expected === undefined) return false;
  return !fingerprintOf({ associationId: order.id }, value, engine).startsWith(expected);
}

function changedEntry(): ConnectorError {
  return new ConnectorError({
    kind: 'client',
    code: 'conflict',
    message:
      'Someone changed this entry after it was decided about, so it was left as it is. Look at it again, then adopt or overwrite it, rename or delete it in the store, or give the link another name.',
  });
}

function blockedEntry(message: string): ConnectorError {
  return new ConnectorError({ kind: 'client', code: 'blocked', message });
}

// Two destinations use one container although their settings differ: each would overwrite and delete the other's entries.
function sharedEntry(): ConnectorError {
  return blockedEntry(
    'Another destination writes to the same account or project and manages the entry with this name. Give one of them a different secret_name_template.',
  );
}
