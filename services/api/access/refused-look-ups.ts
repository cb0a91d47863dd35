import { LRUCache } from 'lru-cache';

const WINDOW_MS = 1000;
const MOST_ADDRESSES = 10_000;

/** How many look-ups of tokens nobody has were made for each address in its present second; in memory, for this replica. */
export type RefusedLookUps = {
  /** Milliseconds until the address may have another token looked up; 0: now. */
  waitMs: (address: string, limit: number) => number;
  note: (address: string) => void;
};

/** Each look-up costs a statement, and whoever guesses tokens has no valid one to be limited by: so the address is. */
export function createRefusedLookUps(): RefusedLookUps {
  // The first look-up of an address begins its window, and the later ones do not move the end.
  const counts = new LRUCache<string, number>({ max: MOST_ADDRESSES, ttl: WINDOW_MS, noUpdateTTL: true });
  const countOf = (address: string): number => counts.get(address) ?? 0;
  return {
    waitMs: (address, limit) => (countOf(address) >= limit ? counts.getRemainingTTL(address) : 0),
    note: (address) => void counts.set(address, countOf(address) + 1),
  };
}
