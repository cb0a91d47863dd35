import { retryConflicts } from './conflicts.ts';
import type { Database } from './connect.ts';

type Effect = (root: Database) => void;

// The running transactions: the database that each belongs to, and what happens once it has committed.
const running = new WeakMap<Database, { root: Database; effects: Effect[] }>();

/**
 * A transaction that is run again if Postgres ended it because of another one (a deadlock, a serialization failure);
 * `work` must have no effects outside of it, except by `afterCommit`. Within another transaction it only runs once: the
 * outer one is lost then.
 */
export async function transact<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  const outer = running.get(db);
  const root = outer?.root ?? db;
  let effects: Effect[] = [];
  const run = (): Promise<Result> =>
    db.transaction((transaction) => {
      effects = [];
      running.set(transaction, { root, effects });
      return work(transaction);
    });
  const result = await (db.isTransaction === true ? run() : retryConflicts(run));
  if (outer) outer.effects.push(...effects);
  else for (const effect of effects) effect(root);
  return result;
}

/**
 * Calls `effect` with the database once a transaction of `transact` has committed, and never if it does not. Outside of a
 * transaction: at once.
 */
export function afterCommit(db: Database, effect: Effect): void {
  const transaction = running.get(db);
  if (transaction) transaction.effects.push(effect);
  else effect(db);
}
