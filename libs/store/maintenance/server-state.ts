import type { Database } from '../../db/connect.ts';

/** Whether a commit of ours has waited more than two seconds for a synchronous standby; the standby is gone then. */
export async function hasWaitingCommit(db: Database): Promise<boolean> {
  // Postgres hides the sessions of other roles; our own are enough.
  const { rows } = await db.raw<{ rows: { waits: boolean }[] }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
       AND query_start < clock_timestamp() - interval '2 seconds') AS waits`,
  );
  return rows[0]?.waits ?? false;
}
