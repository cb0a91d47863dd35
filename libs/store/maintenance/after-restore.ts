import type { Database } from '../../db/connect.ts';
import { announceDue, DUE_DESTINATION, type DueDestination } from '../due/announce.ts';
import { trigger } from '../due/trigger.ts';

// Higher than every generation before the restore. The idempotency token of a push contains the generation, and a store
// takes a known token for a call that it has already carried out.
const GENERATION = 'greatest(a.generation + 1, extract(epoch FROM clock_timestamp())::bigint)';

/**
 * Marks the ledger of the next associations after `afterId` as unconfirmed, and makes them due. Stores that can tell
 * whose an entry is (`marking` types) are asked again before anything there is replaced. Returns the last id seen, null
 * at the end.
 */
export async function invalidateLedger(
  transaction: Database,
  options: { afterId: number; limit: number; marking: string[] },
): Promise<{ lastId: number | null; associations: number; entries: number }> {
  const { afterId, limit, marking } = options;
  const rows: { id: number }[] = await transaction('associations')
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .select('id');
  const ids = rows.map(({ id }) => id);
  const entries = await transaction.raw<{ rowCount: number }>(
    `UPDATE entries e SET value_fingerprint = NULL, written_tags = NULL, owner_seen_at = NULL,
       uncertain_at = CASE WHEN a.lease_token IS NULL THEN e.uncertain_at ELSE now() END,
       owned = e.owned AND (a.removing OR NOT d.type = ANY(?))
     FROM associations a JOIN destinations d ON d.id = a.destination_id
     WHERE a.id = e.association_id AND a.id = ANY(?)`,
    [marking, ids],
  );
  // A lease from before the restore has no holder any more.
  const due = await transaction.raw<{ rows: DueDestination[] }>(
    `UPDATE associations a SET ${trigger('ledger', { generation: GENERATION, lease: 'gone' })}
     WHERE a.id = ANY(?) RETURNING ${DUE_DESTINATION}`,
    [ids],
  );
  announceDue(transaction, due.rows);
  return { lastId: ids.at(-1) ?? null, associations: due.rows.length, entries: entries.rowCount };
}
