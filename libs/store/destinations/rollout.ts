import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { DUE_DECISION, trigger } from '../due/trigger.ts';
import { announceDue } from '../due/announce.ts';
import { NEW_LEASE_TOKEN } from '../lease-token.ts';
import { moveEntries, type Move } from './move.ts';

// A change of a destination concerns all its associations, maybe millions. The transaction of the change records that it
// has reached none of them, and then updates the first batch. Mostly there is only one batch. Workers of the type do the
// rest, and claim nothing of the destination meanwhile. If a worker dies in between, the next sweep continues.

type RolloutColumns = {
  rollout_after: number;
  rollout_by: string;
  rollout_keeps: boolean;
  rollout_move?: Move;
};

/**
 * Columns that start a rollout. `by`: the display name of the person who made the change. `move`: the entries are elsewhere
 * now. A move that is still under way continues. It ends what people decided about entries; see `KEEPS_DECISIONS`.
 */
export function rolloutColumns(by: string, move?: Move): RolloutColumns {
  return {
    rollout_after: 0,
    rollout_by: by,
    rollout_keeps: false,
    ...(move ? { rollout_move: move } : {}),
  };
}

/** SQL for the column `rollout_keeps` of a change that leaves these decisions: one before it that is still under way ends them. */
export const KEEPS_DECISIONS = 'rollout_after IS NULL OR rollout_keeps IS TRUE';

// If somebody locks a row for longer, only this destination waits, until the next sweep.
const LOCK_TIMEOUT = '1s';

type Rollout = { type: string; after: number; move: Move | null; container: string; isPurging: boolean };

const LOCK = `
SELECT type, rollout_after AS after, rollout_move AS move, container,
  purge_initiated_at IS NOT NULL AND purge_error IS NULL AS "isPurging"
FROM destinations WHERE id = ? AND rollout_after IS NOT NULL FOR NO KEY UPDATE`;

// Locks in order of id, as the statement that stores results does, so two transactions never wait for each other. A
// worker that pushes now writes to the old container, so it loses its lease: its result must not count.
const REACH = `
UPDATE associations a SET ${trigger('destination', { by: 'd.rollout_by', keptDecision: `CASE WHEN d.rollout_keeps THEN ${DUE_DECISION} END` })},
  removing = a.removing OR ?,
  lease_token = CASE WHEN a.lease_token IS NOT NULL AND ? THEN ${NEW_LEASE_TOKEN} ELSE a.lease_token END
FROM (SELECT l.id FROM associations l WHERE l.id = ANY (?) ORDER BY l.id FOR NO KEY UPDATE) locked, destinations d
WHERE a.id = locked.id AND d.id = a.destination_id`;

/**
 * Makes the next associations of a destination due, at most `limit`, and applies the change to them. Returns their
 * number; fewer than `limit` means that the rollout is complete.
 */
export async function continueRollout(
  transaction: Database,
  destinationId: number,
  limit: number,
): Promise<number> {
  const { rows } = await transaction.raw<{ rows: Rollout[] }>(LOCK, [destinationId]);
  const [rollout] = rows;
  if (!rollout) return 0;
  const { type, after, move, container, isPurging } = rollout;
  const ids: number[] = await transaction('association_keys')
    .where({ destination_id: destinationId })
    .where('association_id', '>', after)
    .orderBy('association_id')
    .limit(limit)
    .pluck('association_id');
  await transaction.raw(REACH, [isPurging, move !== null && move !== 'follow', ids]);
  if (move) await moveEntries(transaction, ids, { container, move });
  const isDone = ids.length < limit;
  await transaction('destinations')
    .where({ id: destinationId })
    .update(
      isDone
        ? { rollout_after: null, rollout_by: null, rollout_keeps: null, rollout_move: null }
        : { rollout_after: ids.at(-1) },
    );
  // Workers claim nothing of it before.
  if (isDone) announceDue(transaction, [{ destination_id: destinationId, type }]);
  return ids.length;
}

/** The same in a transaction of its own. It fails if somebody locks a row for longer than a second. */
export async function continueRolloutAlone(
  db: Database,
  destinationId: number,
  limit: number,
): Promise<number> {
  return transact(db, async (transaction) => {
    await transaction.raw(`SET LOCAL lock_timeout = '${LOCK_TIMEOUT}'`);
    return continueRollout(transaction, destinationId, limit);
  });
}

/** Destinations of a type with associations that a change has not reached yet. */
export async function findRollouts(db: Database, type: string): Promise<number[]> {
  return db('destinations').where({ type }).whereNotNull('rollout_after').orderBy('id').pluck('id');
}
