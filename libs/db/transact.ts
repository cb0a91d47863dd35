import pRetry from 'p-retry';
import type { Database } from './connect.ts';
import { isSqlState } from './sql-state.ts';

const DEADLOCK = '40P01';
const RETRIES = 3;
// The pause lets the other transaction go first; otherwise both might deadlock again in the same way.
const PAUSE_MS = 50;

/**
 * A transaction that is retried if Postgres ended it to resolve a deadlock; `work` must have no effects outside of it.
 */
export async function transact<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  return pRetry(() => db.transaction((transaction) => work(transaction)), {
    retries: RETRIES,
    minTimeout: PAUSE_MS,
    shouldRetry: ({ error }) => isDeadlock(error),
  });
}

/** Whether Postgres ended the statement to resolve a deadlock: nothing was changed, and it may be retried. */
export function isDeadlock(error: unknown): boolean {
  return isSqlState(error, DEADLOCK);
}
