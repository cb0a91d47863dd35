import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './connect.ts';
import { isSqlState } from './sql-state.ts';

const DEADLOCK = '40P01';
const MOST_ATTEMPTS = 4;
const PAUSE_MS = 50;

/** A transaction that is run again where Postgres ended it to resolve a deadlock; `work` must have no other effects. */
export async function transact<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((transaction) => work(transaction));
    } catch (error) {
      if (!isDeadlock(error) || attempt === MOST_ATTEMPTS) throw error;
      // The other one goes first, or both might meet in the same way again.
      await sleep(PAUSE_MS * attempt);
    }
  }
}

/** Whether Postgres ended the statement to resolve a deadlock: nothing was done, and it may be run again. */
export function isDeadlock(error: unknown): boolean {
  return isSqlState(error, DEADLOCK);
}
