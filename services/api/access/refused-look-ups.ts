import { LRUCache } from 'lru-cache';

const WINDOW_MS = 1000;
const MOST_ADDRESSES = 10_000;

/** Counts the look-ups of unknown tokens for each address in its current second; in memory, for this replica only. */
export type RefusedLookUps = {
  /** Milliseconds until another token may be looked up for the address; 0: now. */
  waitMs: (address: string, limit: number) => number;
  note: (address: string) => void;
};

/**
 * Each look-up costs a statement. A caller who guesses tokens has no valid token that we could limit, so we limit the
 * address.
 */
export function createRefusedLookUps(): RefusedLookUps {
  // The first look-up of an address starts its window. Later look-ups do not move the end.
  const counts = new LRUCache<string, number>({ max: MOST_ADDRESSES, ttl: WINDOW_MS, noUpdateTTL: true });
  const countOf = (address: string): number => counts.get(address) ?? 0;
  return {
    waitMs: (address, limit) => (countOf(address) >= limit ? counts.getRemainingTTL(address) : 0),
    note: (address) => void counts.set(address, countOf(address) + 1),
  };
}
