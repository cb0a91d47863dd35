import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';

/**
 * Deletes a destination with its ledger; the external entries stay. From now on no query finds it, its credentials are
 * gone and its names are free. If it has more than `limit` associations, a job removes the rest.
 */
export async function deleteDestination(transaction: Database, id: number, limit: number): Promise<void> {
  await transaction('destinations').where({ id }).update({
    namespace_id: null,
    settings: '{}',
    sealed_settings: null,
    purge_initiated_at: null,
    rollout_after: null,
    rollout_by: null,
    rollout_keeps: null,
    rollout_move: null,
  });
  await continueDeletion(transaction, id, limit);
}

/**
 * Removes at most `limit` associations of a deleted destination, and after the last one the destination. Returns their
 * number.
 */
export async function continueDeletion(transaction: Database, id: number, limit: number): Promise<number> {
  const { rows } = await transaction.raw<{ rows: unknown[] }>(
    // Locks in order of id, as the statement that stores results does.
    `DELETE FROM associations WHERE id IN (
       SELECT a.id FROM association_keys k JOIN associations a ON a.id = k.association_id
       WHERE k.destination_id = ? ORDER BY k.association_id LIMIT ? FOR UPDATE OF a)
     RETURNING 1`,
    [id, limit],
  );
  if (rows.length < limit) await transaction('destinations').where({ id, namespace_id: null }).delete();
  return rows.length;
}

/** Deleted destinations that still have rows. */
export async function findDeletedDestinations(db: Database): Promise<number[]> {
  return db('destinations').whereNull('namespace_id').orderBy('id').pluck('id');
}

/** Makes deleted destinations give up names in the container of the destination that wants them. */
export async function freeNames(
  transaction: Database,
  destinationId: number,
  names: string[],
): Promise<void> {
  await transaction.raw(
    `UPDATE entries e SET name_key = NULL FROM destinations d
     WHERE e.container = (SELECT container FROM destinations WHERE id = ?) AND e.name_key = ANY (?)
       AND d.id = e.destination_id AND NOT (${NOT_DELETED})`,
    [destinationId, names],
  );
}
