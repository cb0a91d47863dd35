import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** How many orders of a destination are wanted; `isRateLimited`: as far as the worker knows. */
export type ClaimRequest = { destinationId: number; orders: number; isRateLimited: boolean };

/** The time between two writes that a store's documented limit asks for. Applies only after the store throttled. */
export type RateLimit = { intervalMs: number };

/** The rate limit of the destinations of a type. */
export type TypeLimit = { type: string; rateLimit: RateLimit };

/** So many writes, the first in `startMs` from now, one every `intervalMs`; more can be reserved from `againMs` on. */
export type WriteReservation = { writes: number; startMs: number; intervalMs: number; againMs: number };

// How far ahead writes are reserved, so that the time a claim takes does not show between them.
const AHEAD_MS = 250;
const ASK_AGAIN_MS = 50;

// Long enough that meeting the limit again costs next to nothing, short enough to notice a raised one.
const LIMITED_MINUTES = 10;

// Workers reserve write times in Postgres at the store's documented rate. The lock of the row makes them take turns. A row that
// somebody else holds is asked for again: the claims of all other destinations would wait with it.
const RESERVE = `
WITH locked AS MATERIALIZED (
  SELECT id, paced_until FROM destinations
  WHERE id = ANY (?::bigint[]) AND type = ? AND pace_expires_at > now() FOR NO KEY UPDATE SKIP LOCKED
), share AS (
  SELECT w.destination_id, step, base,
    greatest(0, least(w.orders, ceil(extract(epoch FROM horizon - base) / extract(epoch FROM step))))::int AS writes
  FROM unnest(?::bigint[], ?::int[]) AS w (destination_id, orders)
  JOIN (
    SELECT id, greatest(paced_until, clock_timestamp()) AS base, ? * interval '1 millisecond' AS step,
      clock_timestamp() + ? * interval '1 millisecond' AS horizon
    FROM locked
  ) reserved ON reserved.id = w.destination_id
)
UPDATE destinations d SET
  pace_granted = share.writes,
  paced_until = share.base + share.writes * share.step
FROM share
WHERE d.id = share.destination_id
RETURNING d.id, d.pace_granted AS writes,
  (extract(epoch FROM share.base - clock_timestamp()) * 1000)::float8 AS start_ms`;

/**
 * Reserves the next writes of those destinations that are rate limited; none for now of one that another worker, or a change
 * of it, holds at this moment.
 */
export async function reserveWrites(
  db: Database,
  requests: ClaimRequest[],
  { type, rateLimit }: TypeLimit,
): Promise<Map<number, WriteReservation>> {
  const ids = requests.map((request) => request.destinationId);
  const rows = await prepared<{ id: number; writes: number; start_ms: number }>(db, RESERVE, [
    ids,
    type,
    ids,
    requests.map((request) => request.orders),
    rateLimit.intervalMs,
    AHEAD_MS,
  ]);
  const reserved = new Map(rows.map((row) => [row.id, toReservation(row, rateLimit)]));
  const missing = requests.filter((request) => !reserved.has(request.destinationId));
  const held = missing.length > 0 ? await findRateLimited(db, missing, { type, rateLimit }) : [];
  return new Map([...reserved, ...held]);
}

/** Those that are rate limited by now, since another worker was throttled, each with a reservation of nothing. */
export async function findRateLimited(
  db: Database,
  requests: ClaimRequest[],
  { type, rateLimit }: TypeLimit,
): Promise<Map<number, WriteReservation>> {
  const rows: { id: number }[] = await db('destinations')
    .whereIn(
      'id',
      requests.map((request) => request.destinationId),
    )
    .where({ type })
    .whereRaw('pace_expires_at > now()')
    .select('id');
  const none = { writes: 0, startMs: 0, intervalMs: rateLimit.intervalMs, againMs: ASK_AGAIN_MS };
  return new Map(rows.map(({ id }) => [id, none]));
}

function toReservation(row: { writes: number; start_ms: number }, rateLimit: RateLimit): WriteReservation {
  const endMs = row.start_ms + row.writes * rateLimit.intervalMs;
  return {
    writes: row.writes,
    startMs: row.start_ms,
    intervalMs: rateLimit.intervalMs,
    againMs: Math.max(0, endMs - AHEAD_MS / 2),
  };
}

/**
 * The store asked us to wait: nothing of the destination is claimed by any worker until then (a longer wait is kept),
 * and for some minutes afterwards claims reserve their writes at the store's documented rate.
 */
export async function throttleDestination(
  db: Database,
  destinationId: number,
  milliseconds: number,
): Promise<void> {
  await db.raw(
    `UPDATE destinations d SET
       throttled_until = greatest(d.throttled_until, until.at),
       paced_until = greatest(d.throttled_until, until.at),
       pace_expires_at = now() + ? * interval '1 minute'
     FROM (SELECT now() + ? * interval '1 millisecond' AS at) until
     WHERE d.id = ?`,
    [LIMITED_MINUTES, milliseconds, destinationId],
  );
}

/** Counts writes that orders made beyond those they had reserved, as time; while the destination is rate limited. */
export async function chargeWrites(db: Database, destinationId: number, milliseconds: number): Promise<void> {
  await db.raw(
    `UPDATE destinations SET paced_until = paced_until + ? * interval '1 millisecond'
     WHERE id = ? AND pace_expires_at > now()`,
    [milliseconds, destinationId],
  );
}
