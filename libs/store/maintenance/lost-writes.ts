import type { Database } from '../../db/connect.ts';

/** The loss that was found last, by when that was; `isRefusing`: somebody has yet to decide. */
export type Loss = { foundAt: Date | null; isRefusing: boolean };

/** What one look at the branch tells. `counted` is durable as far as commits are. */
export type Count = Loss & { id: string; counted: number; inherited: number };

const LOSS = `loss_found_at AS "foundAt",
  loss_found_at IS NOT NULL AND loss_accepted_at IS NULL AS "isRefusing"`;

// One of all processes counts each second. A row that somebody holds, since its commit waits for a standby, keeps nobody.
const COUNT = `
WITH due AS (
  SELECT one FROM database_branch
  WHERE abs(extract(epoch FROM clock_timestamp() - counted_at)) > 0.9 FOR NO KEY UPDATE SKIP LOCKED
), told AS (
  UPDATE database_branch b SET counted = b.counted + 1, counted_at = clock_timestamp(),
    synchronous = current_setting('synchronous_standby_names') <> ''
      AND current_setting('synchronous_commit') NOT IN ('off', 'local')
  FROM due WHERE b.one = due.one RETURNING b.counted
)
SELECT id, coalesce((SELECT counted FROM told), counted) AS counted, inherited, ${LOSS}
FROM database_branch`;

/** Reads only: whoever begins must not wait for a commit. */
export async function readLoss(db: Database): Promise<Loss> {
  const { rows } = await db.raw<{ rows: Loss[] }>(`SELECT ${LOSS} FROM database_branch`);
  return rows[0] ?? { foundAt: null, isRefusing: false };
}

/** Counts up, at most once a second over all processes, and tells what the branch says now. */
export async function countUp(db: Database): Promise<Count> {
  const { rows } = await db.raw<{ rows: Count[] }>(COUNT);
  const [row] = rows;
  if (!row) throw new Error('the row of the database branch is missing');
  return row;
}

/**
 * Keeps that this branch lacks changes that were acknowledged on the one before. Unless `accepted`, changes are refused and
 * syncing is paused until somebody decides. False where that was known.
 */
export async function noteLoss(
  db: Database,
  id: string,
  { accepted }: { accepted: boolean },
): Promise<boolean> {
  return db.transaction(async (transaction) => {
    const { rowCount } = await transaction.raw<{ rowCount: number }>(
      `UPDATE database_branch b SET loss_found_at = now(), loss_accepted_at = CASE WHEN :accepted THEN now() END,
         paused_sync = b.paused_sync OR (NOT :accepted AND NOT (SELECT disabled FROM sync_config)),
         ledger_is_stale = true
       WHERE id = :id AND (loss_found_at IS NULL OR loss_found_at < began_at)`,
      { id, accepted },
    );
    if (rowCount > 0 && !accepted) await transaction('sync_config').update({ disabled: true });
    return rowCount > 0;
  });
}

/** Takes this branch as it is: changes are taken again, and syncing goes on. False where nothing waits for a decision. */
export async function acceptLoss(db: Database): Promise<boolean> {
  const rows: { pausedSync: boolean }[] = await db.transaction(async (transaction) => {
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
    if (row.pausedSync) await transaction('sync_config').update({ disabled: false });
    return [row];
  });
  return rows.length > 0;
}

/** The branch whose ledger has yet to be invalidated; null while there is none, or somebody has to decide first. */
export async function findStaleLedger(db: Database): Promise<string | null> {
  const row: { id: string } | undefined = await db('database_branch')
    .where({ ledger_is_stale: true })
    .whereRaw('(loss_found_at IS NULL OR loss_accepted_at IS NOT NULL)')
    .first('id');
  return row?.id ?? null;
}

/** The ledger of this branch was invalidated; that of a later one was not. */
export async function noteFreshLedger(db: Database, id: string): Promise<number> {
  return db('database_branch').where({ id }).update({ ledger_is_stale: false });
}
