import { LRUCache } from 'lru-cache';
import type { Destination } from '../connector/contract.ts';
import { mostEntries } from '../connector/most-entries.ts';
import type { NamedValue } from './order.ts';

/** How much more a container can take; Infinity if its store has no such limit. */
export type Capacity = { entries: number; bytes: number };

/** `growing`: the plans need new names, not only new values. */
export type CapacityFinder = (container: string, growing: boolean) => Promise<Capacity>;

type Limits = Destination['limits'];
type Fault = { code: string; message: string };

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
  limits: Limits,
  measure: (container: string) => Promise<{ entries: number; bytes: number }>,
): CapacityFinder {
  const { totalBytes: mostBytes } = limits;
  const remembered = new LRUCache<string, Capacity>({ max: MOST_REMEMBERED, ttl: COUNT_HOLDS_MS });
  return async (container, growing) => {
    const most = mostEntries(limits, container);
    const counts = (most !== Infinity && growing) || mostBytes !== undefined;
    if (!counts) return { entries: Infinity, bytes: Infinity };
    const known = remembered.get(container);
    if (known) return { ...known };
    const used = await measure(container);
    const capacity = {
      entries: Math.max(0, most - used.entries),
      bytes: (mostBytes ?? Infinity) - used.bytes,
    };
    if (capacity.entries > FAR && mostBytes === undefined) remembered.set(container, capacity);
    return { ...capacity };
  };
}

/** Why a value without an entry cannot be written to a container that takes no more entries. */
export function tooManyEntries(limits: Limits, container: string): Fault {
  return {
    code: 'too_many_entries',
    message: `the store accepts at most ${mostEntries(limits, container)} entries and already has that many`,
  };
}

/**
 * Takes the bytes by which a value grows its container; `valueBytes`: those that its entry has now, null if it has none.
 * Takes nothing if they do not fit, and returns why.
 */
export function takeBytes(
  { name, bytes, entry }: Pick<NamedValue, 'name' | 'bytes' | 'entry'>,
  valueBytes: number | null,
  { capacity, limits }: { capacity: Capacity; limits: Limits },
): Fault | undefined {
  // A name without an entry is not counted yet.
  const nameBytes = entry ? 0 : Buffer.byteLength(name);
  const growth = nameBytes + bytes - (valueBytes ?? 0);
  if (growth > capacity.bytes) {
    const message = `all names and values together would exceed the ${limits.totalBytes} bytes that the store accepts`;
    return { code: 'too_many_bytes', message };
  }
  capacity.bytes -= growth;
  return undefined;
}
