import { LRUCache } from 'lru-cache';
import type { Destination } from '../../connector/contract.ts';

/** How much more a container can take; Infinity if its store has no such limit. */
export type Capacity = { entries: number; bytes: number };

/** `growing`: the plans need new names, not only new values. */
export type CapacityFinder = (container: string, growing: boolean) => Promise<Capacity>;

// Far from the limit, a count stays good for some seconds: the more entries there are, the longer counting takes, and no
// store takes that many new entries in that time.
const FAR = 20_000;
const COUNT_HOLDS_MS = 5000;
// As many as a worker has sessions.
const MOST_REMEMBERED = 1000;

/**
 * Finds the capacity of containers of one type; `measure` counts what a container holds. Remembers a capacity that is far
 * from the limit.
 */
export function createCapacityFinder(
  limits: Destination['limits'],
  measure: (container: string) => Promise<{ entries: number; bytes: number }>,
): CapacityFinder {
  const { entries: mostEntries, totalBytes: mostBytes } = limits;
  const remembered = new LRUCache<string, Capacity>({ max: MOST_REMEMBERED, ttl: COUNT_HOLDS_MS });
  return async (container, growing) => {
    const counts = (mostEntries !== undefined && growing) || mostBytes !== undefined;
    if (!counts) return { entries: Infinity, bytes: Infinity };
    const known = remembered.get(container);
    if (known) return { ...known };
    const used = await measure(container);
    const capacity = {
      entries: Math.max(0, (mostEntries ?? Infinity) - used.entries),
      bytes: (mostBytes ?? Infinity) - used.bytes,
    };
    if (capacity.entries > FAR && mostBytes === undefined) remembered.set(container, capacity);
    return { ...capacity };
  };
}
