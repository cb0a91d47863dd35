import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { transact } from '../../db/transact.ts';

/** An entry as one destination knows it; `reference` as the store just returned it, or as the ledger keeps it. */
export type NamedEntry = {
  entryId: number;
  destinationId: number;
  type: string;
  nameKey: string;
  reference: string | null;
};

/** The part of a reference that identifies the entry itself, as the destination type defines it. */
export type IdentityOf = (reference: string) => string | null;

type Row = { id: number; reference: string | null };

// Searches by container: the index is by container, and a type has few destinations. There is no index of names alone.
const HOLDERS = `
SELECT e.id, e.reference FROM destinations d
JOIN entries e ON e.container = d.container AND e.name_key = ? AND e.destination_id = d.id
WHERE ${NOT_DELETED} AND d.type = ? AND d.id <> ? AND e.owned`;

/**
 * Finds out whether another destination manages an entry that bears our mark and that this destination does not know.
 * `shared`: another destination manages it. `free`: none does. `unknown`: another destination manages an entry of that name,
 * and the ledger cannot tell whether it is the same entry.
 */
export async function findHolding(
  db: Database,
  { nameKey, type, destinationId, reference }: Omit<NamedEntry, 'entryId'>,
  identityOf: IdentityOf,
): Promise<'shared' | 'free' | 'unknown'> {
  const { rows } = await db.raw<{ rows: Row[] }>(HOLDERS, [nameKey, type, destinationId]);
  const identify = (one: string | null): string | null => (one === null ? null : identityOf(one));
  const own = identify(reference);
  const others = rows.map((row) => identify(row.reference));
  if (own !== null && others.includes(own)) return 'shared';
  return others.length === 0 || (own !== null && !others.includes(null)) ? 'free' : 'unknown';
}

/**
 * Whether the ledger holds this very entry for another destination too, although that destination writes to another
 * container.
 */
export async function hasOtherHolder(
  db: Database,
  entry: NamedEntry,
  identityOf: IdentityOf,
): Promise<boolean> {
  return (await findOtherHolders(db, entry, identityOf)).length > 0;
}

/**
 * Gives up an entry that is about to be deleted outside, if another destination holds it too. Returns true then: the
 * caller must not delete it. If several destinations give it up at the same time, the last one gets false.
 */
export async function releaseShared(
  db: Database,
  entry: NamedEntry,
  identityOf: IdentityOf,
): Promise<boolean> {
  if (!(await hasOtherHolder(db, entry, identityOf))) return false;
  return transact(db, async (transaction) => {
    const others = await findOtherHolders(transaction, entry, identityOf);
    const ids = [entry.entryId, ...others];
    // Locks in order of id: the second transaction sees what the first gave up.
    const rows: { id: number; owned: boolean }[] = await transaction('entries')
      .whereIn('id', ids)
      .orderBy('id')
      .forUpdate()
      .select('id', 'owned');
    if (!rows.some(({ id, owned }) => id !== entry.entryId && owned)) return false;
    await transaction('entries').where({ id: entry.entryId }).update({ owned: false });
    return true;
  });
}

async function findOtherHolders(
  db: Database,
  { nameKey, type, destinationId, reference }: NamedEntry,
  identityOf: IdentityOf,
): Promise<number[]> {
  const identity = reference === null ? null : identityOf(reference);
  if (identity === null) return [];
  const { rows } = await db.raw<{ rows: Row[] }>(HOLDERS, [nameKey, type, destinationId]);
  return rows
    .filter(({ reference: other }) => other !== null && identityOf(other) === identity)
    .map(({ id }) => id);
}
