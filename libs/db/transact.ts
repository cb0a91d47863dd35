import { retryConflicts } from './conflicts.ts';
import type { Database } from './connect.ts';

/**
 * A transaction that is run again if Postgres ended it because of another one (a deadlock, a serialization failure);
 * `work` must have no effects outside of it. Within another transaction it only runs once: the outer one is lost then.
 */
export async function transact<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const run = (): Promise<Result> => db.transaction((transaction) => work(transaction));
  return db.isTransaction === true ? run() : retryConflicts(run);
}
