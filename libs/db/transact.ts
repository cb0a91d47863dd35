import type { Database } from './connect.ts';

const DEADLOCK = '40P01';
const MOST_ATTEMPTS = 4;

/** A transaction that is run again where Postgres ended it to resolve a deadlock; `work` must have no other effects. */
export async function transact<Result>(
  db: Database,
  work: (transaction: Database) => Promise<Result>,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction((transaction) => work(transaction));
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== DEADLOCK || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}
