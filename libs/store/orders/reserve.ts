import type { Database } from '../../db/connect.ts';
import type { LedgerEntry } from './order.ts';

/** A name that an association is going to write. */
export type Reservation = {
  associationId: number;
  destinationId: number;
  subKey: string;
  externalName: string;
  place: string;
  /** Null: only a row to show a status in. */
  nameKey: string | null;
};

type Row = { id: number; association_id: number; name_key: string | null };

/**
 * Takes names for associations; of two that want one name the first wins. Returns the ledger rows by
 * `associationId/externalName`; a row without `nameKey` did not get its name.
 */
export async function reserveEntries(db: Database, wanted: Reservation[]): Promise<Map<string, LedgerEntry>> {
  const reserved = new Map<string, LedgerEntry>();
  for (const reservation of wanted) {
    const row = (await insert(db, reservation, reservation.nameKey)) ?? (await insert(db, reservation, null));
    if (row)
      reserved.set(`${reservation.associationId}/${reservation.externalName}`, toEntry(row, reservation));
  }
  return reserved;
}

/** Records that an entry is about to be written, for stores that cannot tell afterwards whose it is. */
export async function holdEntry(db: Database, entryId: number): Promise<void> {
  await db('entries').where({ id: entryId }).update({ held: true });
}

/** How many names a place holds already, and the bytes of their values. */
export async function measurePlace(db: Database, place: string): Promise<{ entries: number; bytes: number }> {
  const { rows } = await db.raw<{ rows: { entries: number; bytes: number }[] }>(
    `SELECT count(*) AS entries, coalesce(sum(value_bytes), 0)::bigint AS bytes
     FROM entries WHERE place = ? AND name_key IS NOT NULL`,
    [place],
  );
  return rows[0] ?? { entries: 0, bytes: 0 };
}

// A row of the same association under the same name is taken over (the key that has it may be another one now);
// one without a name gets it as soon as it is free.
async function insert(
  db: Database,
  reservation: Reservation,
  nameKey: string | null,
): Promise<Row | undefined> {
  try {
    const { rows } = await db.raw<{ rows: Row[] }>(
      `INSERT INTO entries (association_id, destination_id, sub_key, external_name, place, name_key)
       VALUES (?, ?, ?, ?, ?, ?)
       ON CONFLICT (association_id, sub_key, external_name)
         DO UPDATE SET name_key = excluded.name_key, place = excluded.place
       RETURNING id, association_id, name_key`,
      [
        reservation.associationId,
        reservation.destinationId,
        reservation.subKey,
        reservation.externalName,
        reservation.place,
        nameKey,
      ],
    );
    return rows[0];
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === '23505') return undefined;
    throw error;
  }
}

function toEntry(row: Row, reservation: Reservation): LedgerEntry {
  return {
    id: row.id,
    subKey: reservation.subKey,
    externalName: reservation.externalName,
    nameKey: row.name_key,
    held: false,
    valuePrint: null,
    valueBytes: null,
    writtenTags: null,
    reference: null,
    status: 'PENDING',
    syncedVersion: null,
    writtenMsAgo: null,
  };
}
