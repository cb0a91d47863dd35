import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from './delete.ts';

/**
 * What becomes of entries where a destination writes to another container from now on. `follow`: they are the same ones.
 * `ask`: the store is to say whether they are there and whose they are, also before one is removed. `trust`: it cannot
 * say, so they are written again as ours.
 */
export type Move = 'follow' | 'ask' | 'trust';

// What the ledger says of an entry elsewhere. It may be there, for all that is known: who removes it looks for it.
const FORGET = 'value_print = NULL, written_tags = NULL, owner_seen_at = NULL';
const MEANING: Record<Move, { forget: string; held: string; writtenAt: string }> = {
  follow: { forget: '', held: 'e.held', writtenAt: 'e.written_at' },
  trust: { forget: `${FORGET},`, held: 'e.held', writtenAt: 'now()' },
  ask: { forget: `${FORGET},`, held: 'false', writtenAt: 'now()' },
};

/** Whether another destination has one of the names of a destination in a container. */
export async function areNamesTaken(
  db: Database,
  destinationId: number,
  container: string,
): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM entries o JOIN destinations d ON d.id = o.destination_id AND ${NOT_DELETED}
     WHERE o.place = ? AND o.destination_id <> ? AND o.name_key IN (
       SELECT e.name_key FROM entries e WHERE e.destination_id = ? AND e.name_key IS NOT NULL)
     LIMIT 1`,
    [container, destinationId, destinationId],
  );
  return rows.length > 0;
}

/**
 * Takes the names of associations along to another container. Call it with the associations locked, which comes before their
 * entries everywhere. A name that somebody took there since the change is waited for, like any that another one has.
 */
export async function moveEntries(
  transaction: Database,
  associationIds: number[],
  { container, move }: { container: string; move: Move },
): Promise<void> {
  await transaction.raw(
    `UPDATE entries o SET name_key = NULL FROM destinations d
     WHERE o.place = ? AND d.id = o.destination_id AND NOT (${NOT_DELETED})
       AND o.name_key IN (SELECT name_key FROM entries WHERE association_id = ANY (?))`,
    [container, associationIds],
  );
  const { forget, held, writtenAt } = MEANING[move];
  await transaction.raw(
    `UPDATE entries e SET ${forget} place = ?,
       name_key = CASE WHEN m.taken THEN NULL ELSE e.name_key END,
       wanted_key = CASE WHEN m.taken THEN e.name_key ELSE e.wanted_key END,
       held = ${held} AND NOT m.taken,
       written_at = CASE WHEN m.taken THEN NULL ELSE ${writtenAt} END
     FROM (
       SELECT s.id, EXISTS (
         SELECT 1 FROM entries o WHERE o.place = ? AND o.name_key = s.name_key AND o.id <> s.id
       ) AS taken
       FROM entries s WHERE s.association_id = ANY (?)
     ) m
     WHERE e.id = m.id`,
    [container, container, associationIds],
  );
}
