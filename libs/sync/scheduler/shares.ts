import type { Lane } from './lanes.ts';

// What is claimed is in memory with its values.
const MOST_ORDERS = 2000;
// One core is kept busy by fewer.
const MOST_CALLS = 256;

/** How many calls under way the lanes share; one lane may have as many as it is configured to. */
export function sharedCalls(concurrency: number): number {
  return Math.max(MOST_CALLS, concurrency);
}

/** What each busy lane may have: claimed orders, and calls under way. */
export type Share = { orders: number; calls: number };

/**
 * Shares the bounds of a worker out to the lanes with work, at least one each. A failing destination tries with one push
 * at a time: it takes little from the others, however many fail.
 */
export function shareOut(lanes: Iterable<Lane>, concurrency: number): Share {
  let busy = 0;
  let failing = 0;
  for (const lane of lanes) {
    if (!lane.demand && lane.inFlight + lane.waiting === 0) continue;
    if (lane.outages > 0) failing += 1;
    else busy += 1;
  }
  const part = (most: number): number =>
    Math.max(1, Math.floor(Math.max(most / 2, most - failing) / Math.max(1, busy)));
  return { orders: part(MOST_ORDERS), calls: part(sharedCalls(concurrency)) };
}
