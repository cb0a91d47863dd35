import { LRUCache } from 'lru-cache';
import type { Caller } from './caller.ts';

// What another process revokes or forbids must be enforced here within two seconds.
const FRESH_MS = 1000;
const MOST_KEPT = 5000;

/**
 * Finds callers, asking the database about each once a second at most, unknown ones too. `forget` after anything that may
 * change rights. `isKnown`: the token was good lately, or a look-up is not needed.
 */
export type CallerCache = {
  /** `refused` is called where the database was asked and knows no such token. */
  find: (secret: string, refused: () => void) => Promise<Caller | undefined>;
  isKnown: (secret: string) => boolean;
  forget: () => void;
};

/** Empty where the database knows no such token. */
type Found = { caller?: Caller };

/**
 * Keeps callers by the secret they show, in memory only. A token that nobody has yet cannot be shown by anybody: a new one works at
 * once. Those who show one token at the same moment share a look-up.
 */
export function createCallerCache(findCaller: (secret: string) => Promise<Caller | undefined>): CallerCache {
  const cache = new LRUCache<string, Found, () => void>({
    max: MOST_KEPT,
    ttl: FRESH_MS,
    // `clear` gives up look-ups under way: their callers get the result, and it is not kept. So what was read before a
    // change of rights does not outlive it.
    ignoreFetchAbort: true,
    fetchMethod: async (secret, _stale, { options, context: refused }) => {
      const askedAt = performance.now();
      const caller = await findCaller(secret);
      if (!caller) refused();
      const left = FRESH_MS - (performance.now() - askedAt);
      options.ttl = Math.max(1, Math.min(left, caller ? millisecondsLeft(caller) : Infinity));
      return caller ? { caller } : {};
    },
  });
  return {
    find: async (secret, refused) => (await cache.fetch(secret, { context: refused }))?.caller,
    isKnown: (secret) => cache.has(secret) || cache.peek(secret, { allowStale: true })?.caller !== undefined,
    forget: () => cache.clear(),
  };
}

function millisecondsLeft({ token }: Caller): number {
  return token.ends_at === null ? Infinity : token.ends_at.getTime() - Date.now();
}
