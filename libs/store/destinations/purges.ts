import type { Database } from '../../db/connect.ts';
import type { DestinationRow } from './destinations.ts';
import { continueRollout, rolloutColumns } from './rollout.ts';

// A purge begins at `purge_initiated_at`: every association is being removed, and nothing can be changed. The worker that
// removes the last association deletes the destination too. If all remaining associations have failed, whether or not
// they are tried again, `purge_error` says why. Then the purge can be started again. An edit or a `set` ends it;
// associations that were being removed still are.

/** Whether the destination is being purged. After a failed purge it can be used again. */
export function isPurging(row: Pick<DestinationRow, 'purge_initiated_at' | 'purge_error'>): boolean {
  return row.purge_initiated_at !== null && row.purge_error === null;
}

/**
 * Marks every association of a destination for removal; the transaction has locked the destination. If there are more
 * than `limit`, workers mark the rest. `author`: the display name of the person.
 */
export async function beginPurge(
  transaction: Database,
  row: DestinationRow,
  { author, limit }: { author: string; limit: number },
): Promise<DestinationRow> {
  const since = isPurging(row) ? row.purge_initiated_at : transaction.fn.now();
  const rows: DestinationRow[] = await transaction('destinations')
    .where({ id: row.id })
    .update({
      purge_initiated_at: since,
      purge_error: null,
      ...rolloutColumns(author),
      updated_at: transaction.fn.now(),
    })
    .returning('*');
  await continueRollout(transaction, row.id, limit);
  return rows[0] ?? row;
}

/** Ends a purge that failed: the destination stays. */
export async function endPurge(transaction: Database, destinationId: number): Promise<void> {
  await transaction('destinations')
    .where({ id: destinationId })
    .whereNotNull('purge_error')
    .update({ purge_initiated_at: null, purge_error: null, updated_at: transaction.fn.now() });
}

/** A destination that is gone. */
export type PurgedDestination = { destination: number; type: string; name: string; namespace: string };

/** Deletes destinations that are being purged and have no association left. */
export async function deletePurged(transaction: Database): Promise<PurgedDestination[]> {
  const { rows } = await transaction.raw<{ rows: PurgedDestination[] }>(
    `DELETE FROM destinations d USING namespaces n
     WHERE n.id = d.namespace_id AND d.purge_initiated_at IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM association_keys k WHERE k.destination_id = d.id)
     RETURNING d.id AS destination, d.type, d.name, n.path AS namespace`,
  );
  return rows;
}

// First looks for associations that were not tried yet, or are being tried. The index of due rows finds them, however
// many others there are.
const STUCK = `
UPDATE destinations d SET
  purge_error = coalesce(stuck.cause ->> 'code' || ': ' || (stuck.cause ->> 'message'), 'kept: a secret is associated again'),
  updated_at = now()
FROM (
  SELECT p.id, p.updated_at, (
    SELECT coalesce(p.failure, a.failure, e.cause) FROM association_keys k JOIN associations a ON a.id = k.association_id
    LEFT JOIN entries e ON e.association_id = a.id AND e.cause IS NOT NULL
    WHERE k.destination_id = p.id AND coalesce(p.failure, a.failure, e.cause) IS NOT NULL
    ORDER BY a.id LIMIT 1
  ) AS cause
  FROM destinations p
  WHERE p.purge_initiated_at IS NOT NULL AND p.purge_error IS NULL AND p.rollout_after IS NULL AND p.id = ANY (coalesce(?::bigint[], ARRAY[p.id]))
    AND (p.failures > 0 OR NOT EXISTS (
      SELECT 1 FROM associations a WHERE a.destination_id = p.id AND a.due_at IS NOT NULL
        AND (a.lease_token IS NOT NULL OR a.attempts = 0)))
    AND EXISTS (SELECT 1 FROM association_keys k WHERE k.destination_id = p.id)
) stuck
-- A purge that somebody has started again meanwhile is not stuck.
WHERE d.id = stuck.id AND d.updated_at = stuck.updated_at
RETURNING 1`;

/**
 * Records at destinations why their purge cannot end, once all remaining associations have failed. Checks the given ids,
 * or all. Returns how many are new.
 */
export async function notePurgeErrors(db: Database, destinationIds?: number[]): Promise<number> {
  const { rows } = await db.raw<{ rows: unknown[] }>(STUCK, [destinationIds ?? null]);
  return rows.length;
}
