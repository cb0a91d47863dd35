import type { Database } from '../../db/connect.ts';
import { UNDER_WAY, WAITS } from '../associations/waiting.ts';
import { HELD } from '../destinations/holds.ts';

/** An association that has failed for too long. */
export type LongFailure = {
  destinationId: number;
  type: string;
  destination: string;
  namespace: string;
  mount: string;
  secret_path: string;
  since: Date;
  class: string;
  code: string;
};

const BEGIN = `
INSERT INTO notify_failures (association_id, since)
SELECT id, coalesce(failing_since, ?::timestamptz) FROM associations WHERE failure IS NOT NULL
UNION ALL
SELECT association_id, coalesce(failing_since, ?::timestamptz) FROM entries WHERE cause IS NOT NULL
UNION ALL
SELECT association_id, coalesce(drift_since, ?::timestamptz) FROM entries WHERE drift IS NOT NULL
UNION ALL
SELECT a.id, coalesce(d.failing_since, ?::timestamptz)
FROM destinations d JOIN associations a ON a.destination_id = d.id AND a.due_at <= now()
WHERE d.failure IS NOT NULL AND ${WAITS} AND NOT ${HELD}
ON CONFLICT DO NOTHING`;

// What is about to be tried, or was written but is not confirmed yet, may still turn out to fail.
const END = `
DELETE FROM notify_failures f
WHERE NOT EXISTS (
    SELECT 1 FROM associations a WHERE a.id = f.association_id AND (a.failure IS NOT NULL OR ${UNDER_WAY}))
  AND NOT EXISTS (
    SELECT 1 FROM entries e WHERE e.association_id = f.association_id
      AND (e.cause IS NOT NULL OR e.drift IS NOT NULL OR e.status IN ('SYNCING', 'UNSYNCING')))`;

/**
 * SQL: the failures `f` of associations `a` with all that is told of each. `c` has its cause: why it fails itself, or the
 * destination that it waits for, or that it differs from what the store has.
 */
export const FROM_FAILURES = `
FROM notify_failures f
JOIN associations a ON a.id = f.association_id
JOIN destinations d ON d.id = a.destination_id
JOIN namespaces n ON n.id = d.namespace_id
JOIN mounts m ON m.id = a.mount_id
LEFT JOIN LATERAL (
  SELECT coalesce(e.cause, e.drift) AS cause FROM entries e
  WHERE e.association_id = a.id AND (e.cause IS NOT NULL OR e.drift IS NOT NULL)
  ORDER BY e.cause IS NULL, e.id LIMIT 1
) e ON true
CROSS JOIN LATERAL (SELECT coalesce(CASE WHEN ${WAITS} THEN d.failure END, a.failure, e.cause) AS cause) c`;

const TAKE = `
WITH long AS MATERIALIZED (
  SELECT f.association_id, f.since, d.id AS "destinationId", d.type, d.name AS destination, n.path AS namespace,
    m.path AS mount, a.secret_path, c.cause ->> 'class' AS class, c.cause ->> 'code' AS code
  ${FROM_FAILURES}
  WHERE f.notified_at IS NULL AND f.since <= ? AND c.cause IS NOT NULL
), taken AS (
  UPDATE notify_failures f SET notified_at = ? FROM long l WHERE f.association_id = l.association_id
)
SELECT "destinationId", type, destination, namespace, mount, secret_path, since, class, code
FROM long ORDER BY "destinationId", association_id`;

/**
 * Records which associations fail now, or differ from what the store has. A failure lasts until the association settles
 * without one, and the store has confirmed it. A retry, or a newer value that fails too, does not restart it. What waits
 * for a destination that fails as a whole fails with it.
 */
export async function noteFailures(transaction: Database, now: Date): Promise<void> {
  await transaction.raw(BEGIN, [now, now, now, now]);
  await transaction.raw(END);
}

/** Failures that began before a time and were not reported yet. From now on they count as reported. */
export async function takeLongFailures(
  transaction: Database,
  { now, before }: { now: Date; before: Date },
): Promise<LongFailure[]> {
  const { rows } = await transaction.raw<{ rows: LongFailure[] }>(TAKE, [before, now]);
  return rows;
}
