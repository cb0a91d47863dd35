import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** How many orders of a destination a worker wants; `isRateLimited`: as far as the worker knows. */
export type ClaimRequest = { destinationId: number; orders: number; isRateLimited: boolean };

/** The time between two writes, from the store's documented limit. Applies only after the store throttled. */
export type RateLimit = { intervalMs: number };

/** The rate limit of the destinations of a type. */
export type TypeLimit = { type: string; rateLimit: RateLimit };

/**
 * A number of writes: the first in `startMs` from now, then one every `intervalMs`. More can be reserved from `againMs`
 * on.
 */
export type WriteReservation = { writes: number; startMs: number; intervalMs: number; againMs: number };

// How far ahead writes are reserved, so that the time of a claim causes no gap between writes.
const AHEAD_MS = 250;
// Whoever has the lock reserves and commits within milliseconds.
const ASK_AGAIN_MS = 50;

// Long enough that meeting the limit again costs almost nothing; short enough to notice a raised limit.
const LIMITED_MINUTES = 10;

/** SQL: when the store of a destination `d` that is rate limited last asked to wait. */
export const ASKED_TO_WAIT_AT = `d.rate_limit_expires_at - interval '${LIMITED_MINUTES} minutes'`;

// Workers reserve write times in Postgres at the store's documented rate. The row lock makes them take turns. A locked
// row is skipped and asked for again later: waiting for it would delay the claims of all other destinations.
const RESERVE = `
WITH locked AS MATERIALIZED (
  SELECT id, rate_limit_reserved_until FROM destinations
  WHERE id = ANY (?::bigint[]) AND type = ? AND rate_limit_expires_at > now() FOR NO KEY UPDATE SKIP LOCKED
), share AS (
  SELECT w.destination_id, step, base,
    greatest(0, least(w.orders, ceil(extract(epoch FROM horizon - base) / extract(epoch FROM step))))::int AS writes
  FROM unnest(?::bigint[], ?::int[]) AS w (destination_id, orders)
  JOIN (
    SELECT id, greatest(rate_limit_reserved_until, clock_timestamp()) AS base, ? * interval '1 millisecond' AS step,
      clock_timestamp() + ? * interval '1 millisecond' AS horizon
    FROM locked
  ) reserved ON reserved.id = w.destination_id
)
UPDATE destinations d SET
  rate_limit_reserved_writes = share.writes,
  rate_limit_reserved_until = share.base + share.writes * share.step
FROM share
WHERE d.id = share.destination_id
RETURNING d.id, d.rate_limit_reserved_writes AS writes,
  (extract(epoch FROM share.base - clock_timestamp()) * 1000)::float8 AS start_ms`;

/**
 * Reserves the next writes of the destinations that are rate limited. If another worker, or a change of the destination,
 * holds the row now, its reservation is empty.
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
  const limited = missing.length > 0 ? await findRateLimited(db, missing, { type, rateLimit }) : [];
  return new Map([...reserved, ...limited]);
}

/** The destinations that are rate limited by now because another worker was throttled, each with an empty reservation. */
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
    .whereRaw('rate_limit_expires_at > now()')
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
 * The store asked us to wait: no worker claims work of the destination until then. A longer wait that is already set is
 * kept. For some minutes afterwards, claims reserve their writes at the store's documented rate. If the destination has
 * another revision by now, the store asked it of former settings or credentials, and nothing is set.
 */
export async function throttleDestination(
  db: Database,
  { destinationId, revision, throttleMs }: { destinationId: number; revision: number; throttleMs: number },
): Promise<void> {
  await db.raw(
    `UPDATE destinations d SET
       throttled_until = greatest(d.throttled_until, until.at),
       rate_limit_reserved_until = greatest(d.throttled_until, until.at),
       rate_limit_expires_at = now() + ? * interval '1 minute'
     FROM (SELECT now() + ? * interval '1 millisecond' AS at) until
     WHERE d.id = ? AND d.revision = ?`,
    [LIMITED_MINUTES, throttleMs, destinationId, revision],
  );
}

/** Charges writes beyond the reserved ones, as time, if the destination is rate limited. */
export async function chargeWrites(db: Database, destinationId: number, milliseconds: number): Promise<void> {
  await db.raw(
    `UPDATE destinations SET rate_limit_reserved_until = rate_limit_reserved_until + ? * interval '1 millisecond'
     WHERE id = ? AND rate_limit_expires_at > now()`,
    [milliseconds, destinationId],
  );
}
