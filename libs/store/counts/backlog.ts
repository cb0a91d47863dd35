import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { CHANGING_COUNTS, RIPE } from './kept-counts.ts';
import { CLAIMABLE_FROM, MAY_CLAIM } from '../orders/may-claim.ts';

/** What waits for the workers of a type. Ages are in seconds by the database's clock. */
export type Backlog = { type: string; due: number; oldestSeconds: number; throttledDestinations: number };

// Whatever is due or leased is counted as due; leases are few. Added up before it meets the destinations, and by type before it
// meets the types: Postgres takes a sum for one row, and would read all of it once for each destination.
const BACKLOG = `
WITH waiting AS MATERIALIZED (
  SELECT w.destination_id, sum(w.count)::int AS number FROM (
    SELECT c.destination_id, c.count FROM (${CHANGING_COUNTS}) c WHERE c.kind LIKE 'due|%'
    UNION ALL SELECT a.destination_id, 1 FROM associations a WHERE ${RIPE}
    UNION ALL SELECT a.destination_id, -1 FROM associations a WHERE a.lease_token IS NOT NULL AND a.due_at > now()
  ) w GROUP BY w.destination_id HAVING sum(w.count) > 0
), claimable AS MATERIALIZED (
  SELECT d.type, sum(w.number)::int AS due,
    max(extract(epoch FROM now() - greatest(o.due_at, ${CLAIMABLE_FROM})))::float8 AS age
  FROM waiting w JOIN destinations d ON d.id = w.destination_id AND ${MAY_CLAIM}
  CROSS JOIN LATERAL (
    SELECT a.due_at FROM associations a WHERE a.destination_id = d.id AND a.due_at <= now() ORDER BY a.due_at LIMIT 1
  ) o
  GROUP BY d.type
), types AS MATERIALIZED (
  SELECT d.type, (count(*) FILTER (WHERE d.throttled_until > now()))::int AS throttled
  FROM destinations d WHERE d.type = coalesce(?, d.type) AND ${NOT_DELETED} GROUP BY d.type
)
SELECT t.type, coalesce(c.due, 0) AS due, coalesce(c.age, 0) AS "oldestSeconds", t.throttled AS "throttledDestinations"
FROM types t LEFT JOIN claimable c ON c.type = t.type`;

/**
 * The number of due associations that could be claimed now (`MAY_CLAIM`), of one type, or of every type that has
 * destinations.
 */
export async function readBacklog(db: Database, type?: string): Promise<Backlog[]> {
  return prepared<Backlog>(db, BACKLOG, [type ?? null]);
}
