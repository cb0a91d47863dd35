import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { isSqlState, UNIQUE_VIOLATION } from '../../db/sql-state.ts';
import { LEDGER_ENTRY } from './ledger.ts';
import type { LedgerEntry } from './order.ts';

/** A name that an association is going to write. */
export type Reservation = {
  associationId: number;
  destinationId: number;
  subKey: string;
  externalName: string;
  /** Null: only a row to show a status in. */
  nameKey: string | null;
  /** The name that the row waits for, where another association holds it. */
  wantedKey?: string | null;
};

// Taken by another row of the same statement.
const CARDINALITY_VIOLATION = '21000';

type Row = LedgerEntry & { associationId: number };

/**
 * Takes names for associations; of two that want one name the first wins. Returns the ledger rows by `reservationKey`; a
 * row without `nameKey` did not get its name.
 */
export async function reserveEntries(db: Database, wanted: Reservation[]): Promise<Map<string, LedgerEntry>> {
  const rows = (await insert(db, wanted)) ?? (await insertEach(db, wanted));
  return new Map(rows.map((row) => [reservationKey(row.associationId, row.subKey, row.externalName), row]));
}

/** Tells the rows of a ledger apart, as the table does. */
export function reservationKey(associationId: number, subKey: string, externalName: string): string {
  return JSON.stringify([associationId, subKey, externalName]);
}

// Some name is taken: those that are free are had one by one.
async function insertEach(db: Database, wanted: Reservation[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const reservation of wanted) {
    const row = await insert(db, [reservation]);
    rows.push(
      ...(row ??
        (await insert(db, [{ ...reservation, nameKey: null, wantedKey: reservation.nameKey }])) ??
        []),
    );
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

// The place is that of now: a change of the destination may have moved its names since the claim.
const INSERT = `
INSERT INTO entries AS e (association_id, destination_id, sub_key, external_name, place, name_key, wanted_key)
SELECT w.association_id, d.id, w.sub_key, w.external_name, d.place, w.name_key, w.wanted_key
FROM unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[])
  AS w (association_id, destination_id, sub_key, external_name, name_key, wanted_key)
JOIN destinations d ON d.id = w.destination_id
-- What has a name keeps it, whoever asks for a row to show a status in.
ON CONFLICT (association_id, sub_key, external_name)
  DO UPDATE SET name_key = coalesce(excluded.name_key, e.name_key), place = excluded.place,
    wanted_key = excluded.wanted_key
RETURNING e.association_id AS "associationId", ${LEDGER_ENTRY}`;

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
      sorted.map(({ nameKey }) => nameKey),
      sorted.map(({ wantedKey }) => wantedKey ?? null),
    ]);
  } catch (error) {
    if (isSqlState(error, UNIQUE_VIOLATION, CARDINALITY_VIOLATION)) return undefined;
    throw error;
  }
}
