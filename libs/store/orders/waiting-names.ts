import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { announceDue, DUE_DESTINATION, type DueDestination } from '../due/announce.ts';
import { trigger } from '../due/trigger.ts';

/** A name that the ledger gave up; `name_key` is null if the row had no name. */
export type FreedName = { container: string; name_key: string | null };

// Associations that are leased or locked try again by themselves.
const MAKE_DUE = `
UPDATE associations a SET due_at = now() WHERE a.id IN (
  SELECT a.id FROM entries e
  JOIN unnest(?::text[], ?::text[]) AS f (container, name_key) ON e.container = f.container AND e.wanted_key = f.name_key
  JOIN associations a ON a.id = e.association_id
  WHERE e.wanted_key IS NOT NULL AND a.lease_token IS NULL AND (a.due_at IS NULL OR a.due_at > now())
  ORDER BY a.id
  FOR UPDATE OF a SKIP LOCKED)
RETURNING ${DUE_DESTINATION}`;

/** Makes the associations due that wait for these names, which are free now. */
export async function makeWaitersDue(transaction: Database, freed: FreedName[]): Promise<void> {
  const names = freed.flatMap(({ container, name_key: key }) => (key === null ? [] : [{ container, key }]));
  if (names.length === 0) return;
  const { rows } = await transaction.raw<{ rows: DueDestination[] }>(MAKE_DUE, [
    names.map(({ container }) => container),
    names.map(({ key }) => key),
  ]);
  announceDue(transaction, rows);
}

// Follows who waits for whose name, starting at some associations. A holder counts only if it waits for another name
// itself and has seen its newest generation: then it will never need its present name again.
const FOLLOW = `
WITH RECURSIVE chain AS (
  SELECT w.id AS waiting, h.id AS holding, w.association_id, h.association_id AS next_association, h.sub_key AS next_key,
    ARRAY[w.id] AS seen, w.id AS first
  FROM entries w JOIN entries h ON h.container = w.container AND h.name_key = w.wanted_key
  WHERE w.association_id = ANY (?) AND w.wanted_key IS NOT NULL
  UNION ALL
  SELECT w.id, h.id, w.association_id, h.association_id, h.sub_key, chain.seen || w.id, chain.first
  FROM chain
  JOIN entries w ON w.association_id = chain.next_association AND w.sub_key = chain.next_key AND w.wanted_key IS NOT NULL
  JOIN entries h ON h.container = w.container AND h.name_key = w.wanted_key
  WHERE w.id <> ALL (chain.seen) AND cardinality(chain.seen) < 100
), closed AS (
  SELECT DISTINCT ON (chain.first) chain.seen FROM chain
  JOIN entries back ON back.association_id = chain.next_association AND back.sub_key = chain.next_key
    AND back.id = chain.first
)
SELECT DISTINCT c.waiting, c.holding, c.association_id AS association
FROM chain c JOIN closed ON c.waiting = ANY (closed.seen)`;

type Move = { waiting: number; holding: number; association: number };

/**
 * Lets entries swap names if their associations wait for each other's names in a circle. Each entry takes over the ledger
 * row of the name that it wants, and its own value is written there next. So nothing is deleted outside meanwhile.
 * Returns the associations that are due because of this.
 */
export async function exchangeNames(db: Database, associationIds: number[]): Promise<number[]> {
  const found = await follow(db, associationIds);
  if (found.length === 0) return [];
  return transact(db, async (transaction) => {
    if (!(await lockSettled(transaction, found))) return [];
    // Once more, now that the rows are locked.
    const moves = await follow(transaction, associationIds);
    const known = new Set(found.map(({ association }) => association));
    if (moves.length === 0 || moves.some(({ association }) => !known.has(association))) return [];
    await change(transaction, moves);
    return [...known];
  });
}

async function follow(db: Database, associationIds: number[]): Promise<Move[]> {
  const { rows } = await db.raw<{ rows: Move[] }>(FOLLOW, [associationIds]);
  return rows;
}

// An association that is being pushed tries again by itself afterwards.
async function lockSettled(transaction: Database, moves: Move[]): Promise<boolean> {
  const ids = [...new Set(moves.map(({ association }) => association))];
  const rows: { isSettled: boolean }[] = await transaction('associations')
    .whereIn('id', ids)
    .orderBy('id')
    .forUpdate()
    .skipLocked()
    .select(
      transaction.raw(
        `lease_token IS NULL AND NOT removing AND generation = synced_generation AND NOT EXISTS (
           SELECT 1 FROM destinations d WHERE d.id = destination_id AND d.rollout_after IS NOT NULL) AS "isSettled"`,
      ),
    );
  return rows.length === ids.length && rows.every(({ isSettled }) => isSettled);
}

async function change(transaction: Database, moves: Move[]): Promise<void> {
  const waiting = await transaction('entries')
    .whereIn(
      'id',
      moves.map((move) => move.waiting),
    )
    .delete()
    .returning<Row[]>(['id', 'association_id', 'destination_id', 'sub_key', 'external_name']);
  const byId = new Map(waiting.map((row) => [row.id, row]));
  const taken = moves.flatMap(({ waiting: id, holding }) => {
    const row = byId.get(id);
    return row ? [{ holding, ...row }] : [];
  });
  await transaction.raw(
    `UPDATE entries e SET association_id = t.association_id, destination_id = t.destination_id, sub_key = t.sub_key,
       external_name = t.external_name, value_fingerprint = NULL, status = 'PENDING', cause = NULL, synced_version = NULL,
       updated_at = now()
     FROM json_to_recordset(?::json) AS t (holding bigint, association_id bigint, destination_id bigint, sub_key text,
       external_name text)
     WHERE e.id = t.holding`,
    [JSON.stringify(taken)],
  );
  const { rows: due } = await transaction.raw<{ rows: DueDestination[] }>(
    `UPDATE associations a SET ${trigger('name')}, failure = NULL WHERE a.id = ANY (?) RETURNING ${DUE_DESTINATION}`,
    [taken.map((row) => row.association_id)],
  );
  announceDue(transaction, due);
}

type Row = {
  id: number;
  association_id: number;
  destination_id: number;
  sub_key: string;
  external_name: string;
};
