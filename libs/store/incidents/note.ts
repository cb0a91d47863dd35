import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { StoredCause } from '../associations/records.ts';
import { UNDER_WAY, WAITS } from '../associations/waiting.ts';
import { waitedFor } from '../due/waited.ts';

/** A failure of an association that is stored in the same transaction. */
export type Failing = { destinationId: number; mountId: number; secretPath: string; cause: StoredCause };

// In order, so that two batches never wait for each other's rows.
const OPEN = `
INSERT INTO sync_incidents (namespace_id, destination_id, code, cause, associations, most, mount_id, secret_path)
SELECT d.namespace_id, f."destinationId", f.code, (array_agg(f.cause))[1],
  count(DISTINCT (f."mountId", f."secretPath")), count(DISTINCT (f."mountId", f."secretPath")),
  (array_agg(f."mountId"))[1], (array_agg(f."secretPath"))[1]
FROM (
  SELECT x.*, x.cause ->> 'code' AS code
  FROM json_to_recordset(?::json) AS x ("destinationId" bigint, "mountId" bigint, "secretPath" text, cause jsonb)
) f
JOIN destinations d ON d.id = f."destinationId"
GROUP BY d.namespace_id, f."destinationId", f.code ORDER BY f."destinationId", f.code
ON CONFLICT (destination_id, code) WHERE closed_at IS NULL DO NOTHING`;

/** Opens the incidents of failures, unless they are open already. */
export async function openIncidents(transaction: Database, failing: Failing[]): Promise<void> {
  if (failing.length > 0) await transaction.raw(OPEN, [JSON.stringify(failing)]);
}

// What fails, as the summary of problems sees it: the failure of an association counts before those of its entries, and
// what waits for a destination that fails as a whole has the destination's. What is about to be tried keeps its incident
// open, but opens none: its result does, if it fails again.
const FAILING = `
  SELECT a.destination_id, a.id, a.failure AS cause, a.failing_since AS since, a.mount_id, a.secret_path, NOT ${UNDER_WAY} AS opens
  FROM associations a JOIN destinations d ON d.id = a.destination_id
  WHERE a.destination_id = ANY (?) AND a.failure IS NOT NULL AND NOT ${WAITS}
UNION ALL
  SELECT a.destination_id, a.id, e.cause, e.failing_since, a.mount_id, a.secret_path, NOT ${UNDER_WAY}
  FROM entries e JOIN associations a ON a.id = e.association_id JOIN destinations d ON d.id = a.destination_id
  WHERE e.destination_id = ANY (?) AND e.cause IS NOT NULL AND a.failure IS NULL AND NOT ${WAITS}
UNION ALL
  SELECT a.destination_id, a.id, e.drift, e.drift_since, a.mount_id, a.secret_path, true
  FROM entries e JOIN associations a ON a.id = e.association_id
  WHERE e.destination_id = ANY (?) AND e.drift IS NOT NULL
UNION ALL
  SELECT d.id, a.id, d.failure, d.failing_since, a.mount_id, a.secret_path, true
  FROM destinations d JOIN associations a ON a.destination_id = d.id AND a.due_at <= now()
  WHERE d.id = ANY (?) AND d.failure IS NOT NULL`;

// What was done last about the example says how it ended. An attempt from before the incident says nothing. A worker that
// stops, or that the store asks to wait, hands an association back without its failure: whether it has healed is not known then,
// unless it has failed for another cause since, or waits for a destination that does. A drift is known until it is over, whatever
// is about to be tried. Nobody ends a rate limit.
const ENDED = `
SELECT i.id, CASE WHEN h.code IS DISTINCT FROM i.code THEN h.at END AS at, h.by,
  CASE WHEN k.association_id IS NULL THEN 'removed' WHEN coalesce(h.fails, k.waits) THEN 'other_cause'
    WHEN h.by IS NOT NULL AND i.code <> 'rate_limited' THEN 'person' ELSE 'itself' END AS ended
FROM sync_incidents i
LEFT JOIN LATERAL (
  SELECT k.association_id, ${UNDER_WAY} AS is_under_way, ${WAITS} AS waits
  FROM association_keys k JOIN associations a ON a.id = k.association_id JOIN destinations d ON d.id = a.destination_id
  WHERE k.destination_id = i.destination_id AND k.mount_id = i.mount_id AND k.secret_path = i.secret_path LIMIT 1
) k ON true
LEFT JOIN LATERAL (
  SELECT h.at, h.cause IS NOT NULL AS fails, h.cause ->> 'code' AS code, CASE WHEN NOT ${waitedFor('h.trigger')} THEN h.trigger ->> 'by' END AS by FROM sync_history h
  WHERE h.mount_id = i.mount_id AND h.secret_path = i.secret_path AND h.destination_id = i.destination_id
    AND h.at > i.opened_at
  ORDER BY h.id DESC LIMIT 1
) h ON true
WHERE i.destination_id = ANY (?) AND i.closed_at IS NULL AND (k.is_under_way IS NOT TRUE OR k.waits OR h.code <> i.code OR i.cause ->> 'class' = 'DRIFTED')
  AND NOT EXISTS (SELECT 1 FROM found f WHERE f.destination_id = i.destination_id AND f.code = i.code)`;

// One statement, so that all of it sees the same moment.
const NOTE = `
WITH failing AS (${FAILING}), found AS MATERIALIZED (
  SELECT destination_id, cause ->> 'code' AS code, (array_agg(cause ORDER BY id))[1] AS cause, min(since) AS since,
    count(DISTINCT id)::int AS associations, (array_agg(mount_id ORDER BY id))[1] AS mount_id,
    (array_agg(secret_path ORDER BY id))[1] AS secret_path, bool_or(opens) AS opens
  FROM failing GROUP BY destination_id, cause ->> 'code'
), ended AS MATERIALIZED (${ENDED}), closed AS (
  UPDATE sync_incidents i SET associations = 0, changed_at = now(), ended = x.ended,
    ended_by = CASE WHEN x.ended <> 'itself' THEN x.by END,
    -- Whoever notes it late still knows when the only one of them was healed.
    closed_at = CASE WHEN i.most = 1 AND x.ended <> 'removed' THEN coalesce(x.at, now()) ELSE now() END
  FROM ended x WHERE i.id = x.id
), changed AS (
  UPDATE sync_incidents i SET associations = f.associations, most = greatest(i.most, f.associations), changed_at = now(),
    cause = f.cause, mount_id = coalesce(f.mount_id, i.mount_id), secret_path = coalesce(f.secret_path, i.secret_path)
  FROM found f
  WHERE i.destination_id = f.destination_id AND i.code = f.code AND i.closed_at IS NULL AND i.associations <> f.associations
)
INSERT INTO sync_incidents (namespace_id, destination_id, code, cause, opened_at, associations, most, mount_id, secret_path)
SELECT d.namespace_id, f.destination_id, f.code, f.cause, coalesce(f.since, now()), f.associations, f.associations, f.mount_id,
  f.secret_path
FROM found f JOIN destinations d ON d.id = f.destination_id
WHERE f.opens AND NOT EXISTS (
  SELECT 1 FROM sync_incidents i WHERE i.destination_id = f.destination_id AND i.code = f.code AND i.closed_at IS NULL)
ORDER BY f.destination_id, f.code
ON CONFLICT (destination_id, code) WHERE closed_at IS NULL DO NOTHING`;

/**
 * Opens, changes and closes the incidents of destinations, by what fails there now. Harmless at any time: what is noted
 * already stays.
 */
export async function noteIncidents(db: Database, destinationIds: number[]): Promise<void> {
  const ids = [...new Set(destinationIds)];
  if (ids.length > 0) await prepared(db, NOTE, [ids, ids, ids, ids, ids]);
}

/** Destinations where something fails, or where an incident is open. */
export async function findTroubled(db: Database): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    `SELECT destination_id AS id FROM sync_incidents WHERE closed_at IS NULL
     UNION SELECT destination_id FROM associations WHERE failure IS NOT NULL
     UNION SELECT destination_id FROM entries WHERE cause IS NOT NULL
     UNION SELECT destination_id FROM entries WHERE drift IS NOT NULL
     UNION SELECT id FROM destinations WHERE failure IS NOT NULL
     ORDER BY id`,
  );
  return rows.map(({ id }) => id);
}

/** Deletes at most `limit` incidents that ended before a time. */
export async function deleteIncidents(
  transaction: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const old = transaction('sync_incidents')
    .where('closed_at', '<', before)
    .orderBy('closed_at')
    .limit(limit)
    .select('id');
  return transaction('sync_incidents').whereIn('id', old).delete();
}
