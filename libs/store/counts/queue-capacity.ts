import { performance } from 'node:perf_hooks';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { CHANGING_COUNTS } from './kept-counts.ts';

// A count that is more than `FAR` below the capacity stays valid for a second.
const FAR = 5000;
const COUNT_HOLDS_MS = 1000;

const WAITING = `SELECT coalesce(sum(c.count), 0)::int AS waiting FROM (${CHANGING_COUNTS}) c WHERE c.kind LIKE 'due|%'`;

/** Whether more than `capacity` associations wait. The association of the caller already waits and counts too. */
export type QueueCapacity = { isExceeded: (db: Database, capacity: number) => Promise<boolean> };

/** Counts waiting associations. This process remembers for a moment that the queue was far from full. */
export function createQueueCapacity(): QueueCapacity {
  let counted = { until: 0, waiting: 0 };
  return {
    async isExceeded(db, capacity) {
      if (performance.now() < counted.until && counted.waiting + FAR < capacity) return false;
      const [count] = await prepared<{ waiting: number }>(db, WAITING, []);
      const waiting = count?.waiting ?? 0;
      counted = { until: performance.now() + COUNT_HOLDS_MS, waiting };
      return waiting > capacity;
    },
  };
}
