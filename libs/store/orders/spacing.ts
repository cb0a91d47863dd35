import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** How many orders of a destination are wanted; `paced`: it was spaced when last heard of. */
export type Demand = { destinationId: number; slots: number; paced: boolean };

/** The spacing of writes that a store's documented limit asks for, in milliseconds; applies only after it throttled. */
export type Pace = { intervalMs: number };

/** What the destinations of a type are spaced by. */
export type Spacing = { type: string; pace: Pace };

/** So many writes, the first in `startMs` from now, one every `intervalMs`; more can be had from `againMs` on. */
export type Grant = { granted: number; startMs: number; intervalMs: number; againMs: number };

// How far ahead writes are given away, so that a claim's own duration does not show in their spacing.
const AHEAD_MS = 250;
const ASK_AGAIN_MS = 50;

// Workers of a type share one spacing: the locks of the rows make them take turns. A row that somebody else holds is asked for
// again: the claims of all other destinations would wait with it. What is given away is reckoned under the lock.
const PACE = `
WITH locked AS MATERIALIZED (
  SELECT id, paced_until FROM destinations
  WHERE id = ANY (?::bigint[]) AND type = ? AND pace_expires_at > now() FOR NO KEY UPDATE SKIP LOCKED
), share AS (
  SELECT w.destination_id, step, base,
    greatest(0, least(w.slots, ceil(extract(epoch FROM horizon - base) / extract(epoch FROM step))))::int AS granted
  FROM unnest(?::bigint[], ?::int[]) AS w (destination_id, slots)
  JOIN (
    SELECT id, greatest(paced_until, clock_timestamp()) AS base, ? * interval '1 millisecond' AS step,
      clock_timestamp() + ? * interval '1 millisecond' AS horizon
    FROM locked
  ) spacing ON spacing.id = w.destination_id
)
UPDATE destinations d SET
  pace_granted = share.granted,
  paced_until = share.base + share.granted * share.step
FROM share
WHERE d.id = share.destination_id
RETURNING d.id, d.pace_granted AS granted,
  (extract(epoch FROM share.base - clock_timestamp()) * 1000)::float8 AS start_ms`;

/**
 * Gives away the next writes of those destinations that are spaced; none for now of one that another worker, or a change of
 * it, holds at this moment.
 */
export async function grantWrites(
  db: Database,
  demands: Demand[],
  { type, pace }: Spacing,
): Promise<Map<number, Grant>> {
  const ids = demands.map((demand) => demand.destinationId);
  const rows = await prepared<{ id: number; granted: number; start_ms: number }>(db, PACE, [
    ids,
    type,
    ids,
    demands.map((demand) => demand.slots),
    pace.intervalMs,
    AHEAD_MS,
  ]);
  const granted = new Map(rows.map((row) => [row.id, toGrant(row, pace)]));
  const missing = demands.filter((demand) => !granted.has(demand.destinationId));
  const held = missing.length > 0 ? await findPaced(db, missing, { type, pace }) : [];
  return new Map([...granted, ...held]);
}

/** Those that are spaced meanwhile, since another worker was throttled; with a grant of nothing for now. */
export async function findPaced(
  db: Database,
  demands: Demand[],
  { type, pace }: Spacing,
): Promise<Map<number, Grant>> {
  const rows: { id: number }[] = await db('destinations')
    .whereIn(
      'id',
      demands.map((demand) => demand.destinationId),
    )
    .where({ type })
    .whereRaw('pace_expires_at > now()')
    .select('id');
  const none = { granted: 0, startMs: 0, intervalMs: pace.intervalMs, againMs: ASK_AGAIN_MS };
  return new Map(rows.map(({ id }) => [id, none]));
}

function toGrant(row: { granted: number; start_ms: number }, pace: Pace): Grant {
  const endMs = row.start_ms + row.granted * pace.intervalMs;
  return {
    granted: row.granted,
    startMs: row.start_ms,
    intervalMs: pace.intervalMs,
    againMs: Math.max(0, endMs - AHEAD_MS / 2),
  };
}
