import pRetry from 'p-retry';
import type { Database } from './connect.ts';
import { isSqlState } from './sql-state.ts';

const DEADLOCK = '40P01';
const RETRIES = 3;
// The other transaction goes first, or both might meet in the same way again.
const PAUSE_MS = 50;

/** A transaction that is run again where Postgres ended it to resolve a deadlock; `work` must have no other effects. */
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

/** Whether Postgres ended the statement to resolve a deadlock: nothing was done, and it may be run again. */
export function isDeadlock(error: unknown): boolean {
  return isSqlState(error, DEADLOCK);
}
