import { performance } from 'node:perf_hooks';
import type { Database } from '../../db/connect.ts';

// Far from the limit a count holds for a second: counting takes the longer the more wait.
const FAR = 5000;
const COUNT_HOLDS_MS = 1000;

/** Whether more associations wait for their turn than `capacity`; asked by one that waits already itself. */
export type QueueCapacity = { isExceeded: (db: Database, capacity: number) => Promise<boolean> };

/** Counts what waits; remembers in this process that it was far from full. */
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

// Counts no further than that many.
async function countWaiting(db: Database, most: number): Promise<number> {
  const { rows } = await db.raw<{ rows: { waiting: number }[] }>(
    `SELECT count(*) AS waiting FROM (SELECT 1 FROM associations WHERE due_at <= now() LIMIT ?) due`,
    [most],
  );
  return rows[0]?.waiting ?? 0;
}
