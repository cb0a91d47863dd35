import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { endPause, pauseBecause } from '../associations/sync-config.ts';
import { DISABLED } from '../destinations/pauses.ts';

/** The last loss, by the time it was found; `isRefusing`: an operator must still decide; `isCopy`: see `noteHome`. */
export type Loss = { foundAt: Date | null; isRefusing: boolean; isCopy: boolean };

/** What happened to the database, as a person reads it. */
export const LOST = {
  changes: 'a failover or a restore of the database lost acknowledged changes',
  copy: 'this database is a copy of another one (restored from a backup, or moved), whose installation may still run',
};

/** What happened, by the last loss. */
export function describeLoss({ isCopy }: Pick<Loss, 'isCopy'>): string {
  return isCopy ? LOST.copy : LOST.changes;
}

/** The result of one look at the branch. `counted` is as durable as any commit. */
export type Count = Loss & { id: string; counted: number; inherited: number };

const LOSS = `loss_found_at AS "foundAt", is_copy AS "isCopy",
  loss_found_at IS NOT NULL AND loss_accepted_at IS NULL AS "isRefusing"`;

// Only one process counts in each second. If the row is locked because its commit waits for a standby, the others skip it
// and do not wait.
const COUNT = `
WITH due AS (
  SELECT only_one FROM database_branch
  WHERE abs(extract(epoch FROM clock_timestamp() - counted_at)) > 0.9 FOR NO KEY UPDATE SKIP LOCKED
), told AS (
  UPDATE database_branch b SET counted = b.counted + 1, counted_at = clock_timestamp(),
    synchronous = current_setting('synchronous_standby_names') <> ''
      AND current_setting('synchronous_commit') NOT IN ('off', 'local')
  FROM due WHERE b.only_one = due.only_one RETURNING b.counted
)
SELECT id, coalesce((SELECT counted FROM told), counted) AS counted, inherited, ${LOSS}
FROM database_branch`;

/** Only reads: a process that starts must not wait for a commit. */
export async function readLoss(db: Database): Promise<Loss> {
  const { rows } = await db.raw<{ rows: Loss[] }>(`SELECT ${LOSS} FROM database_branch`);
  return rows[0] ?? { foundAt: null, isRefusing: false, isCopy: false };
}

/** Raises the counter, at most once a second over all processes, and returns the present state of the branch. */
export async function countUp(db: Database): Promise<Count> {
  const { rows } = await db.raw<{ rows: Count[] }>(COUNT);
  const [row] = rows;
  if (!row) throw new Error('the row of the database branch is missing');
  return row;
}

/**
 * Records that this branch lacks acknowledged changes of the branch before it. Unless `accepted`, changes are refused and
 * syncing is paused until an operator decides. False if the loss was already known. `restored`: an earlier state of this
 * branch was restored, which may happen again and again.
 */
export async function noteLoss(
  db: Database,
  id: string,
  { accepted, restored = false }: { accepted: boolean; restored?: boolean },
): Promise<boolean> {
  return transact(db, async (transaction) => {
    const { rowCount } = await transaction.raw<{ rowCount: number }>(
      `UPDATE database_branch b SET loss_found_at = now(), loss_accepted_at = CASE WHEN :accepted THEN now() END,
         paused_sync = b.paused_sync OR (NOT :accepted AND NOT (SELECT ${DISABLED} FROM sync_config)),
         ledger_is_stale = true, is_copy = false
       WHERE id = :id AND (loss_found_at IS NULL OR loss_found_at < began_at
         -- All processes find it within a few seconds.
         OR (:restored AND loss_accepted_at IS NOT NULL AND loss_found_at < now() - interval '10 seconds'))`,
      { id, accepted, restored },
    );
    if (rowCount > 0 && !accepted) await pauseBecause(transaction, LOST.changes);
    return rowCount > 0;
  });
}

/** Accepts this branch as it is: changes are allowed again, and syncing continues. False if no decision is pending. */
export async function acceptLoss(db: Database): Promise<boolean> {
  const rows: { pausedSync: boolean }[] = await transact(db, async (transaction) => {
    const [row] = await transaction('database_branch')
      .whereNotNull('loss_found_at')
      .whereNull('loss_accepted_at')
      .forUpdate()
      .select({ pausedSync: 'paused_sync' });
    if (!row) return [];
    await transaction('database_branch').update({
      loss_accepted_at: transaction.fn.now(),
      paused_sync: false,
    });
    if (row.pausedSync) await endPause(transaction);
    return [row];
  });
  return rows.length > 0;
}

/** The branch whose ledger must still be invalidated; null if there is none, or an operator must decide first. */
export async function findStaleLedger(db: Database): Promise<string | null> {
  const row: { id: string } | undefined = await db('database_branch')
    .where({ ledger_is_stale: true })
    .whereRaw('(loss_found_at IS NULL OR loss_accepted_at IS NOT NULL)')
    .first('id');
  return row?.id ?? null;
}

/** Records that the ledger of this branch was invalidated. A later branch needs its own invalidation. */
export async function noteFreshLedger(db: Database, id: string): Promise<number> {
  return db('database_branch').where({ id }).update({ ledger_is_stale: false });
}
