import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { ENDS_BY_ITSELF } from '../destinations/holds.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { announceDue, type DueDestination } from '../due/announce.ts';
import { CLAIMABLE_FROM, MAY_CLAIM, MAY_PUSH } from './may-claim.ts';

// ORDER BY makes Postgres take the first row of the index. Without it Postgres reads the table if many rows were due
// recently.
const FIRST_DUE = `
  SELECT a.id FROM associations a WHERE a.destination_id = d.id AND a.due_at <= now() ORDER BY a.due_at LIMIT 1`;

/**
 * Notifies the workers of all destinations with due work, for example because `disabled` is turned off. One index look-up
 * for each, however much waits.
 */
export async function announceAllDue(db: Database): Promise<void> {
  const { rows } = await db.raw<{ rows: DueDestination[] }>(
    `SELECT d.id AS destination_id, d.type FROM destinations d
     CROSS JOIN LATERAL (${FIRST_DUE}) due WHERE ${NOT_DELETED}`,
  );
  announceDue(db, rows);
}

/** Notifies the workers of destinations whose work expired leases left undone. Returns the number of these leases. */
export async function announceExpiredLeases(db: Database, now: Date): Promise<number> {
  const { rows } = await db.raw<{ rows: (DueDestination & { count: number })[] }>(
    `SELECT d.id AS destination_id, d.type, count(*) AS count FROM associations a JOIN destinations d ON d.id = a.destination_id
     WHERE ${NOT_DELETED} AND a.lease_token IS NOT NULL AND a.due_at < ? GROUP BY d.id`,
    [now],
  );
  announceDue(db, rows);
  return rows.reduce((total, row) => total + row.count, 0);
}

/** Destinations of a type with due work that may be claimed now. Unordered, since each destination has its own queue. */
export async function findDueDestinations(db: Database, type: string): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `SELECT d.id FROM destinations d CROSS JOIN LATERAL (${FIRST_DUE}) due
     WHERE d.type = ? AND ${MAY_CLAIM}`,
    [type],
  );
  return rows.map((row) => row.id);
}

// What is not set does not count.
const NEXT_CLAIM = `greatest(next.due_at, ${CLAIMABLE_FROM})`;

/**
 * Milliseconds until the next association of a type becomes due or may be claimed: a retry, a version that expires,
 * the end of a wait. Null if none is planned.
 */
export async function millisecondsToNextDue(db: Database, type: string): Promise<number | null> {
  const { rows } = await db.raw<{ rows: { ms: number | null }[] }>(
    `SELECT (extract(epoch FROM min(${NEXT_CLAIM}) - now()) * 1000)::float8 AS ms
     FROM destinations d
     CROSS JOIN LATERAL (
       SELECT a.due_at FROM associations a WHERE a.destination_id = d.id AND a.due_at IS NOT NULL
       ORDER BY a.due_at LIMIT 1
     ) next
     WHERE d.type = ? AND ${NOT_DELETED} AND ${ENDS_BY_ITSELF} AND ${NEXT_CLAIM} > now()`,
    [type],
  );
  return rows[0]?.ms ?? null;
}

/** Of these destinations, those whose claimed work may still be pushed (`MAY_PUSH`). */
export async function findPushable(db: Database, destinationIds: number[]): Promise<Set<number>> {
  const rows = await prepared<{ id: number }>(
    db,
    `SELECT d.id FROM destinations d WHERE d.id = ANY (?::bigint[]) AND ${MAY_PUSH}`,
    [destinationIds],
  );
  return new Set(rows.map(({ id }) => id));
}
