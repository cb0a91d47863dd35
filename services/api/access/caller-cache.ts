import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';

// If another process revokes or forbids something, this process must enforce that within two seconds.
const FRESH_MS = 1000;
const MOST_KEPT = 5000;

/**
 * Finds callers. Asks the database about each secret at most once a second, also about unknown ones. Call `forget`
 * after anything that may change rights. `isKnown`: the cache has a fresh answer, or the token was valid when it was
 * last looked up, also before a `forget`.
 */
export type CallerCache = {
  /** Calls `refused` if the database was asked and does not know the token. */
  find: (secret: string, refused: () => void) => Promise<Caller | undefined>;
  isKnown: (secret: string) => boolean;
  forget: () => void;
};

/** Empty if the database does not know the token. */
type Found = { caller?: Caller };

/**
 * Caches callers by the secret that they present, in memory only. A new token works at once, because no request can
 * have presented it before. Requests that present the same token at the same time share one look-up.
 */
export function createCallerCache(findCaller: (secret: string) => Promise<Caller | undefined>): CallerCache {
  const valid = new LRUCache<string, true>({ max: MOST_KEPT });
  const cache = new LRUCache<string, Found, () => void>({
    max: MOST_KEPT,
    ttl: FRESH_MS,
    // `clear` aborts look-ups in progress: their callers still get the result, but the cache does not keep it. So a
    // result that was read before a change of rights does not outlive the change.
    ignoreFetchAbort: true,
    fetchMethod: async (secret, _stale, { options, context: refused }) => {
      const askedAt = performance.now();
      const caller = await findCaller(secret);
      if (caller) valid.set(secret, true);
      else {
        valid.delete(secret);
        refused();
      }
      const left = FRESH_MS - (performance.now() - askedAt);
      options.ttl = Math.max(1, Math.min(left, caller ? millisecondsLeft(caller) : Infinity));
      return caller ? { caller } : {};
    },
  });
  return {
    find: async (secret, refused) => (await cache.fetch(secret, { context: refused }))?.caller,
    isKnown: (secret) => cache.has(secret) || valid.has(secret),
    forget: () => cache.clear(),
  };
}

function millisecondsLeft({ token }: Caller): number {
  return token.ends_at === null ? Infinity : token.ends_at.getTime() - Date.now();
}
