import type { Database } from '../../db/connect.ts';

// Beyond every generation there was before the restore: the idempotency token of a push is made from it, and a store
// would take a token it has seen for a call it has carried out.
const GENERATION = 'greatest(a.generation + 1, extract(epoch FROM clock_timestamp())::bigint)';

/**
 * Takes nothing in the ledger as confirmed, for the next associations after `afterId`, and makes them due. Where a store
 * can tell whose an entry is (`marking` types), it is asked again before anything there is replaced. Returns the last id
 * seen, null at the end.
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
    `UPDATE entries e SET value_print = NULL, written_tags = NULL, owner_seen_at = NULL,
       uncertain_at = CASE WHEN a.lease_token IS NULL THEN e.uncertain_at ELSE now() END,
       held = e.held AND (a.removing OR NOT d.type = ANY(?))
     FROM associations a JOIN destinations d ON d.id = a.destination_id
     WHERE a.id = e.association_id AND a.id = ANY(?)`,
    [marking, ids],
  );
  // A lease of before the restore has no holder any more.
  const due = await transaction.raw<{ rowCount: number }>(
    `UPDATE associations a SET generation = ${GENERATION}, attempts = 0, lease_token = NULL, due_at = now(),
       updated_at = now()
     WHERE a.id = ANY(?)`,
    [ids],
  );
  return { lastId: ids.at(-1) ?? null, associations: due.rowCount, entries: entries.rowCount };
}
