import type { Database } from './connect.ts';

/** Runs work in its own transaction and returns the number of rows that it changed. */
export type Change = (work: (transaction: Database) => Promise<number>) => Promise<number>;

/**
 * Repeats a change of at most `limit` rows, each time in its own transaction, until a run changes fewer. Returns the
 * total.
 */
export async function inBatches(
  change: Change,
  limit: number,
  work: (transaction: Database, limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await change((transaction) => work(transaction, limit));
    total += count;
    if (count < limit) return total;
  }
}
