import { performance } from 'node:perf_hooks';
import type { Database } from '../../db/connect.ts';

// A count that is more than `FAR` below the capacity stays valid for a second: counting gets slower as more associations
// wait.
const FAR = 5000;
const COUNT_HOLDS_MS = 1000;

/** Whether more than `capacity` associations wait. The association of the caller already waits and counts too. */
export type QueueCapacity = { isExceeded: (db: Database, capacity: number) => Promise<boolean> };

/** Counts waiting associations. This process remembers for a moment that the queue was far from full. */
export function createQueueCapacity(): QueueCapacity {
  let counted = { until: 0, waiting: 0 };
  return {
    async isExceeded(db, capacity) {
      if (performance.now() < counted.until && counted.waiting + FAR < capacity) return false;
      const waiting = await countWaiting(db, capacity + 1);
      counted = { until: performance.now() + COUNT_HOLDS_MS, waiting };
      return waiting > capacity;
    },
  };
}

// Stops counting at `most`.
async function countWaiting(db: Database, most: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { waiting: number }[] }>(
    `SELECT count(*) AS waiting FROM (SELECT 1 FROM associations WHERE due_at <= now() LIMIT ?) due`,
    [most],
  );
  return rows[0]?.waiting ?? 0;
}
