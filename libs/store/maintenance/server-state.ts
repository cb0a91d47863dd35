import type { Database } from '../../db/connect.ts';

class RolledBack extends Error {}

/** Makes a change that is never committed. Throws what Postgres says if it accepts no changes now. */
export async function tryChange(db: Database): Promise<void> {
  try {
    await db.transaction(async (transaction) => {
      await transaction.raw(
        "INSERT INTO settings (kind, attributes) VALUES ('probe ' || gen_random_uuid()::text, '{}')",
      );
      throw new RolledBack();
    });
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error;
  }
}

/** Whether a commit of ours has waited more than two seconds for a synchronous standby; the standby is gone then. */
export async function hasWaitingCommit(db: Database): Promise<boolean> {
  // Postgres hides the sessions of other roles; our own are enough.
  const { rows } = await db.raw<{ rows: { waits: boolean }[] }>(
    `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
       AND query_start < clock_timestamp() - interval '2 seconds') AS waits`,
  );
  return rows[0]?.waits ?? false;
}
