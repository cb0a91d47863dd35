import type { Database } from '../../libs/db/connect.ts';
import type { AuditedChanges } from './audited-changes.ts';

const BATCH = 1000;

/** Repeats a change of at most `limit` rows, each in a transaction of its own, until one finds fewer; how many in all. */
export async function inBatches(
  change: AuditedChanges['change'],
  work: (transaction: Database, limit: number) => Promise<number>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const count = await change((transaction) => work(transaction, BATCH));
    total += count;
    if (count < BATCH) return total;
  }
}
