import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';

/**
 * What happens to entries when their destination changes to another container. `follow`: they are the same entries.
 * `ask`: the store must say whether they exist and whose they are, also before one is removed. `trust`: the store cannot
 * say, so they are written again as ours.
 */
export type Move = 'follow' | 'ask' | 'trust';

// Clears what the ledger knows of an entry that is now elsewhere. The entry may exist there, so a removal looks for it.
const FORGET = 'value_fingerprint = NULL, written_tags = NULL, owner_seen_at = NULL';
const MEANING: Record<Move, { forget: string; owned: string; writtenAt: string }> = {
  follow: { forget: '', owned: 'e.owned', writtenAt: 'e.written_at' },
  trust: { forget: `${FORGET},`, owned: 'e.owned', writtenAt: 'now()' },
  ask: { forget: `${FORGET},`, owned: 'false', writtenAt: 'now()' },
};

/** Whether another destination holds one of this destination's names in a container. */
export async function areNamesTaken(
  db: Database,
  destinationId: number,
  container: string,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM entries o JOIN destinations d ON d.id = o.destination_id AND ${NOT_DELETED}
     WHERE o.container = ? AND o.destination_id <> ? AND o.name_key IN (
       SELECT e.name_key FROM entries e WHERE e.destination_id = ? AND e.name_key IS NOT NULL)
     LIMIT 1`,
    [container, destinationId, destinationId],
  );
  return rows.length > 0;
}

/**
 * Moves the names of associations to another container. Call it with the associations locked: they are locked before
 * their entries everywhere. If another association took a name there since the change, the entry waits for that name, as
 * it does for any taken name.
 */
export async function moveEntries(
  transaction: Database,
  associationIds: number[],
  { container, move }: { container: string; move: Move },
): Promise<void> {
  await transaction.raw(
    `UPDATE entries o SET name_key = NULL FROM destinations d
     WHERE o.container = ? AND d.id = o.destination_id AND NOT (${NOT_DELETED})
       AND o.name_key IN (SELECT name_key FROM entries WHERE association_id = ANY (?))`,
    [container, associationIds],
  );
  const { forget, owned, writtenAt } = MEANING[move];
  await transaction.raw(
    `UPDATE entries e SET ${forget} container = ?,
       name_key = CASE WHEN m.taken THEN NULL ELSE e.name_key END,
       wanted_key = CASE WHEN m.taken THEN e.name_key ELSE e.wanted_key END,
       owned = ${owned} AND NOT m.taken,
       written_at = CASE WHEN m.taken THEN NULL ELSE ${writtenAt} END
     FROM (
       SELECT s.id, EXISTS (
         SELECT 1 FROM entries o WHERE o.container = ? AND o.name_key = s.name_key AND o.id <> s.id
       ) AS taken
       FROM entries s WHERE s.association_id = ANY (?)
     ) m
     WHERE e.id = m.id`,
    [container, container, associationIds],
  );
}
