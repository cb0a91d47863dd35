import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { isSqlState, LOCK_NOT_AVAILABLE, UNIQUE_VIOLATION } from '../../db/sql-state.ts';
import { freeNames } from '../destinations/delete.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { ledgerEntry } from './ledger.ts';
import type { LedgerEntry } from './order.ts';

/** A name that an association is going to write. */
export type Reservation = {
  associationId: number;
  destinationId: number;
  subKey: string;
  externalName: string;
  /** Null: the row only shows a status. */
  nameKey: string | null;
  /** The name that the row waits for because another association holds it. */
  wantedKey?: string | null;
};

// Another row of the same statement takes the same name.
const CARDINALITY_VIOLATION = '21000';
// A lock that lasts longer may last for a long time.
const LOCK_MS = 250;

type Row = LedgerEntry & { associationId: number };

/**
 * `entries`: the ledger rows by `reservationKey`. `locked`: keys that could not be reserved because other transactions lock
 * rows.
 */
export type Reserved = { entries: Map<string, LedgerEntry>; locked: Set<string> };

/**
 * Reserves names for associations. If two want the same name, the first gets it; the other gets a row without `nameKey`.
 * Never waits long for a locked row.
 */
export async function reserveEntries(db: Database, wanted: Reservation[]): Promise<Reserved> {
  const together = await insert(db, wanted);
  if (Array.isArray(together)) return { entries: byKey(together), locked: new Set() };
  return reserveEach(db, wanted);
}

/** Identifies a ledger row, as the unique index of the table does. */
export function reservationKey(associationId: number, subKey: string, externalName: string): string {
  return JSON.stringify([associationId, subKey, externalName]);
}

function byKey(rows: Row[]): Map<string, LedgerEntry> {
  return new Map(rows.map((row) => [reservationKey(row.associationId, row.subKey, row.externalName), row]));
}

// Some name is taken, perhaps by a deleted destination, or some row is locked. So this reserves names one by one, to get
// the free ones. After a locked row it skips the other names of that association, so that each association waits once at
// most.
async function reserveEach(db: Database, wanted: Reservation[]): Promise<Reserved> {
  const rows: Row[] = [];
  const locked = new Set<number>();
  for (const id of new Set(wanted.map(({ destinationId }) => destinationId)))
    await freeNames(
      db,
      id,
      wanted.flatMap(({ nameKey }) => nameKey ?? []),
    );
  for (const reservation of wanted) {
    if (locked.has(reservation.associationId)) continue;
    let row = await insert(db, [reservation]);
    if (row === 'taken')
      row = await insert(db, [{ ...reservation, nameKey: null, wantedKey: reservation.nameKey }]);
    if (row === 'locked') locked.add(reservation.associationId);
    else if (row !== 'taken') rows.push(...row);
  }
  const missing = wanted.filter(({ associationId }) => locked.has(associationId));
  const keys = missing.map((one) => reservationKey(one.associationId, one.subKey, one.externalName));
  return { entries: byKey(rows), locked: new Set(keys) };
}

/** Records that an entry is about to be written, for stores that cannot tell afterwards who wrote it. */
export async function recordOwned(db: Database, entryId: number): Promise<void> {
  await db('entries').where({ id: entryId }).update({ owned: true });
}

/** The number of names in a container, and the bytes of these names and their values. */
export async function measureContainer(
  db: Database,
  container: string,
): Promise<{ entries: number; bytes: number }> {
  const { rows } = await db.raw<{ rows: { entries: number; bytes: number }[] }>(
    `SELECT count(*) AS entries, coalesce(sum(coalesce(e.value_bytes, 0) + octet_length(e.external_name)), 0)::bigint AS bytes
     FROM entries e JOIN destinations d ON d.id = e.destination_id AND ${NOT_DELETED}
     WHERE e.container = ? AND e.name_key IS NOT NULL`,
    [container],
  );
  return rows[0] ?? { entries: 0, bytes: 0 };
}

// Uses the destination's present container: a change may have moved its names since the claim.
const INSERT = `
INSERT INTO entries AS e (association_id, destination_id, sub_key, external_name, container, name_key, wanted_key)
SELECT w.association_id, d.id, w.sub_key, w.external_name, d.container, w.name_key, w.wanted_key
FROM (SELECT set_config('lock_timeout', '${LOCK_MS}', true)) AS limited,
  unnest(?::bigint[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[])
  AS w (association_id, destination_id, sub_key, external_name, name_key, wanted_key)
JOIN destinations d ON d.id = w.destination_id
-- A row that has a name keeps it, also when the caller needs the row only to show a status.
ON CONFLICT (association_id, sub_key, external_name)
  DO UPDATE SET name_key = coalesce(excluded.name_key, e.name_key), container = excluded.container,
    wanted_key = excluded.wanted_key
RETURNING e.association_id AS "associationId", ${ledgerEntry()}`;

// Takes over a row of the same association under the same name (another key may have that name now). A row without a name
// gets it once the name is free. Changes nothing if any name is taken or any row is locked.
async function insert(db: Database, wanted: Reservation[]): Promise<Row[] | 'taken' | 'locked'> {
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
    if (isSqlState(error, UNIQUE_VIOLATION, CARDINALITY_VIOLATION)) return 'taken';
    if (isSqlState(error, LOCK_NOT_AVAILABLE)) return 'locked';
    throw error;
  }
}
