import { LRUCache } from 'lru-cache';

const WINDOW_MS = 1000;
const MOST_ADDRESSES = 10_000;

/** Limits the look-ups of unknown tokens for each address in its current second; in memory, for this replica only. */
export type RefusedLookUps = {
  /**
   * Looks a token up, if the address may still do so. `lookUp` calls `refused` if the token is unknown. Returns the
   * milliseconds to wait instead, if the address has used its limit up.
   */
  within: <Result>(
    address: string,
    limit: number,
    lookUp: (refused: () => void) => Promise<Result>,
  ) => Promise<{ found: Result } | { waitMs: number }>;
};

/** Look-ups of one address whose outcome is open, and the calls that wait for an outcome. */
type Open = { count: number; waiting: (() => void)[] };

/**
 * Each look-up costs a statement. A caller who guesses tokens has no valid token that we could limit, so we limit the
 * address. Look-ups that come at once are counted before their outcome is known: no more of them run than the limit still
 * has room for. The others wait for an outcome instead of being refused, because these tokens may all be valid.
 */
export function createRefusedLookUps(): RefusedLookUps {
  // The first unknown token of an address starts its window. Later ones do not move the end.
  const counts = new LRUCache<string, number>({ max: MOST_ADDRESSES, ttl: WINDOW_MS, noUpdateTTL: true });
  const openOf = new Map<string, Open>();
  const countOf = (address: string): number => counts.get(address) ?? 0;

  // 0 once a place is reserved.
  const reserve = async (address: string, limit: number): Promise<number> => {
    for (;;) {
      if (countOf(address) >= limit) return counts.getRemainingTTL(address) || 1;
      const open = openOf.get(address) ?? { count: 0, waiting: [] };
      openOf.set(address, open);
      if (countOf(address) + open.count < limit) {
        open.count += 1;
        return 0;
      }
      await new Promise<void>((resolve) => open.waiting.push(resolve));
    }
  };

  const release = (address: string): void => {
    const open = openOf.get(address);
    if (!open) return;
    open.count -= 1;
    for (const wake of open.waiting.splice(0)) wake();
    if (open.count === 0) openOf.delete(address);
  };

  return {
    within: async (address, limit, lookUp) => {
      const waitMs = await reserve(address, limit);
      if (waitMs > 0) return { waitMs };
      try {
        return { found: await lookUp(() => void counts.set(address, countOf(address) + 1)) };
      } finally {
        release(address);
      }
    },
  };
}
