import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { CLAIMABLE_FROM, MAY_CLAIM } from './may-claim.ts';

/** What waits for the workers of a type. Ages are in seconds by the database's clock. */
export type Backlog = { type: string; due: number; oldestSeconds: number; throttledDestinations: number };

// Counting stops at a limit: for ten thousand rows or a million, the answer is the same: more workers.
const BACKLOG = `
SELECT d.type, coalesce(sum(waiting.number), 0)::int AS due,
  coalesce(max(extract(epoch FROM now() - greatest(waiting.oldest, ${CLAIMABLE_FROM})))
    FILTER (WHERE waiting.oldest IS NOT NULL), 0)::float8 AS "oldestSeconds",
  (count(*) FILTER (WHERE d.throttled_until > now()))::int AS "throttledDestinations"
FROM destinations d
LEFT JOIN LATERAL (
  SELECT count(*) AS number, min(next.due_at) AS oldest FROM (
    SELECT a.due_at FROM associations a
    WHERE a.destination_id = d.id AND a.due_at <= now()
      AND ${MAY_CLAIM}
    ORDER BY a.due_at LIMIT 10000
  ) next
) waiting ON waiting.oldest IS NOT NULL
WHERE d.type = coalesce(?, d.type) AND ${NOT_DELETED}
GROUP BY d.type`;

/**
 * Counts the due associations that could be claimed now (`MAY_CLAIM`), of one type, or of every type that has
 * destinations.
 */
export async function readBacklog(db: Database, type?: string): Promise<Backlog[]> {
  const { rows } = await db.raw<{ rows: Backlog[] }>(BACKLOG, [type ?? null]);
  return rows;
}
