import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
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

// By another row of the ledger, or by another of the same statement.
const TAKEN = new Set(['23505', '21000']);

type Row = { id: number; association_id: number; external_name: string; name_key: string | null };

/**
 * Takes names for associations; of two that want one name the first wins. Returns the ledger rows by
 * `associationId/externalName`; a row without `nameKey` did not get its name.
 */
export async function reserveEntries(db: Database, wanted: Reservation[]): Promise<Map<string, LedgerEntry>> {
  const rows = (await insert(db, wanted)) ?? (await insertEach(db, wanted));
  const rowOf = new Map(rows.map((row) => [`${row.association_id}/${row.external_name}`, row]));
  const reserved = new Map<string, LedgerEntry>();
  for (const reservation of wanted) {
    const key = `${reservation.associationId}/${reservation.externalName}`;
    const row = rowOf.get(key);
    if (row) reserved.set(key, toEntry(row, reservation));
  }
  return reserved;
}

// Some name is taken: those that are free are had one by one.
async function insertEach(db: Database, wanted: Reservation[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const reservation of wanted) {
    const row = await insert(db, [reservation]);
    rows.push(...(row ?? (await insert(db, [{ ...reservation, nameKey: null }])) ?? []));
  }
  return rows;
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

const INSERT = `
INSERT INTO entries (association_id, destination_id, sub_key, external_name, place, name_key)
SELECT * FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[])
ON CONFLICT (association_id, sub_key, external_name)
  DO UPDATE SET name_key = excluded.name_key, place = excluded.place
RETURNING id, association_id, external_name, name_key`;

// A row of the same association under the same name is taken over (the key that has it may be another one now); one
// without a name gets it as soon as it is free. Undefined, with nothing done, where any of the names is taken.
async function insert(db: Database, wanted: Reservation[]): Promise<Row[] | undefined> {
  if (wanted.length === 0) return [];
  // In order of name, so that two workers never wait for each other's rows.
  const sorted = wanted.toSorted((left, right) => (left.externalName < right.externalName ? -1 : 1));
  try {
    return await prepared<Row>(db, INSERT, [
      sorted.map(({ associationId }) => associationId),
      sorted.map(({ destinationId }) => destinationId),
      sorted.map(({ subKey }) => subKey),
      sorted.map(({ externalName }) => externalName),
      sorted.map(({ place }) => place),
      sorted.map(({ nameKey }) => nameKey),
    ]);
  } catch (error) {
    if (error instanceof Error && 'code' in error && TAKEN.has(String(error.code))) return undefined;
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
