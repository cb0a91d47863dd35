import type { Database } from '../../db/connect.ts';

// Any commit waits for a moment where there is a synchronous standby.
const LONG = "interval '2 seconds'";

/** Whether the server takes no changes because it is a standby, and whether a commit of ours waits for a standby that is away. */
export type ServerState = { isStandby: boolean; hasWaitingCommit: boolean };

/** Asks the server that the next statement goes to. */
export async function readServerState(db: Database): Promise<ServerState> {
  // Of other roles' sessions nothing is shown; ours are enough.
  const { rows } = await db.raw<{ rows: ServerState[] }>(
    `SELECT pg_is_in_recovery() AS "isStandby",
       EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
         AND query_start < clock_timestamp() - ${LONG}) AS "hasWaitingCommit"`,
  );
  return rows[0] ?? { isStandby: false, hasWaitingCommit: false };
}
