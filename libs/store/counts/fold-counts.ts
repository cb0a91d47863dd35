import type { Database } from '../../db/connect.ts';
import { CHANGING_COUNTS, KIND, NAMESPACE_COUNTS, RIPE } from './kept-counts.ts';

const FOLD = `
WITH taken AS (DELETE FROM association_count_changes RETURNING destination_id, kind, change)
INSERT INTO association_counts AS c (destination_id, kind, count)
SELECT destination_id, kind, sum(change) FROM taken GROUP BY destination_id, kind
-- In order, so that two of them never wait for each other's rows.
ORDER BY destination_id, kind
ON CONFLICT (destination_id, kind) DO UPDATE SET count = c.count + excluded.count`;

const FOLD_NAMESPACES = `
WITH taken AS (DELETE FROM namespace_count_changes RETURNING namespace_id, links, destinations)
INSERT INTO namespace_counts AS c (namespace_id, links, destinations)
SELECT namespace_id, sum(links), sum(destinations) FROM taken GROUP BY namespace_id ORDER BY namespace_id
ON CONFLICT (namespace_id) DO UPDATE SET links = c.links + excluded.links, destinations = c.destinations + excluded.destinations`;

/** Adds what has changed to the kept counts. Returns the number of counts that it changed. */
export async function foldCounts(transaction: Database): Promise<number> {
  const { rowCount } = await transaction.raw<{ rowCount: number }>(FOLD);
  await transaction.raw('DELETE FROM association_counts WHERE count = 0');
  const namespaces = await transaction.raw<{ rowCount: number }>(FOLD_NAMESPACES);
  await transaction.raw('DELETE FROM namespace_counts WHERE links = 0 AND destinations = 0');
  return rowCount + namespaces.rowCount;
}

/** Counts associations as due that became due by themselves and that no worker has claimed since; at most `limit`. */
export async function ripen(transaction: Database, limit: number): Promise<number> {
  const { rowCount } = await transaction.raw<{ rowCount: number }>(
    `UPDATE associations SET later = false WHERE id IN (
       SELECT a.id FROM associations a WHERE ${RIPE} ORDER BY a.due_at LIMIT ? FOR NO KEY UPDATE SKIP LOCKED)`,
    [limit],
  );
  return rowCount;
}

/** SQL: kept counts that differ from the associations, and by how much; all are read at the same moment. */
export const WRONG_COUNTS = `
WITH kept AS (
  SELECT destination_id, kind, sum(count) AS count FROM (${CHANGING_COUNTS}) c GROUP BY destination_id, kind
), actual AS (
  SELECT destination_id, kind, count(*) AS count FROM (SELECT a.destination_id, ${KIND} AS kind FROM associations a) k
  WHERE kind IS NOT NULL GROUP BY destination_id, kind
  UNION ALL SELECT destination_id, 'all', count(*) FROM associations GROUP BY destination_id
)
SELECT destination_id, kind, coalesce(a.count, 0) - coalesce(k.count, 0) AS change
FROM kept k FULL JOIN actual a USING (destination_id, kind)
WHERE coalesce(a.count, 0) <> coalesce(k.count, 0)`;

// The correction is one more change, so nobody has to wait meanwhile.
const CORRECT = `INSERT INTO association_count_changes (destination_id, kind, change) ${WRONG_COUNTS}`;

// By the counts of the destinations, which are right by then.
const CORRECT_NAMESPACES = `
WITH kept AS (
  SELECT namespace_id, sum(links) AS links, sum(destinations) AS destinations FROM (${NAMESPACE_COUNTS}) c GROUP BY namespace_id
), actual AS (
  SELECT d.namespace_id, coalesce(sum(l.count), 0) AS links, count(*) AS destinations FROM destinations d
  LEFT JOIN (SELECT destination_id, sum(count) AS count FROM (${CHANGING_COUNTS}) c WHERE kind = 'all' GROUP BY destination_id) l
    ON l.destination_id = d.id
  WHERE d.namespace_id IS NOT NULL GROUP BY d.namespace_id
), wrong AS (
  SELECT namespace_id, coalesce(a.links, 0) - coalesce(k.links, 0) AS links,
    coalesce(a.destinations, 0) - coalesce(k.destinations, 0) AS destinations
  FROM kept k FULL JOIN actual a USING (namespace_id)
)
INSERT INTO namespace_count_changes (namespace_id, links, destinations)
SELECT namespace_id, links, destinations FROM wrong WHERE links <> 0 OR destinations <> 0`;

/** Compares the kept counts with the associations. Mends and returns the number of counts that differ. */
export async function correctCounts(transaction: Database): Promise<number> {
  const { rowCount } = await transaction.raw<{ rowCount: number }>(CORRECT);
  const namespaces = await transaction.raw<{ rowCount: number }>(CORRECT_NAMESPACES);
  return rowCount + namespaces.rowCount;
}

// A name that is reserved for the first push changes nothing yet.
const NEXT = `
SELECT max(p.id) AS last, coalesce(json_agg(p.id) FILTER (
  WHERE s.status IS DISTINCT FROM 'PENDING' AND (p.entries_status, p.entries_cause) IS DISTINCT FROM (s.status, s.cause)), '[]') AS wrong
FROM (SELECT id, entries_status, entries_cause FROM associations WHERE id > ? ORDER BY id LIMIT ?) p
CROSS JOIN LATERAL entries_state(p.id) s`;

/**
 * Compares what the next `limit` associations after an id say of their entries with these. Mends and counts the
 * differences. `last`: the last id, null at the end.
 */
export async function correctStates(
  transaction: Database,
  { afterId, limit }: { afterId: number; limit: number },
): Promise<{ last: number | null; corrected: number }> {
  const next = await transaction.raw<{ rows: { last: number | null; wrong: number[] }[] }>(NEXT, [
    afterId,
    limit,
  ]);
  const { last, wrong } = next.rows[0] ?? { last: null, wrong: [] };
  if (wrong.length === 0) return { last, corrected: 0 };
  // Locked before their entries are read again: a result that was stored meanwhile is no difference.
  await transaction('associations').whereIn('id', wrong).orderBy('id').forUpdate().select('id');
  const { rows } = await transaction.raw<{ rows: { count: number }[] }>('SELECT state_entries(?) AS count', [
    wrong,
  ]);
  return { last, corrected: rows[0]?.count ?? 0 };
}
