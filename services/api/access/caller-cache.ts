import type { Database } from '../../../libs/db/connect.ts';
import { findCaller, type Caller } from './caller.ts';

// What another process revokes or forbids must be enforced here within two seconds.
const FRESH_MS = 1000;
const MOST_KEPT = 5000;

/** Finds callers, asking the database about each once a second at most. `forget` after anything that may change rights. */
export type CallerCache = {
  find: (secret: string) => Promise<Caller | undefined>;
  forget: () => void;
};

/** Keeps callers by their token, in memory only; unknown tokens are asked about every time, so that a new one works at once. */
export function createCallerCache(db: Database, hashKey: Buffer): CallerCache {
  const kept = new Map<string, { caller: Caller; until: number }>();
  let epoch = 0;

  return {
    find: async (secret) => {
      const now = performance.now();
      const known = kept.get(secret);
      if (known && known.until > now && !hasExpired(known.caller)) return known.caller;
      kept.delete(secret);
      const asked = epoch;
      const caller = await findCaller(db, hashKey, secret);
      // What was read before a change of rights must not outlive it.
      if (!caller || asked !== epoch) return caller;
      const oldest = kept.keys().next();
      if (kept.size >= MOST_KEPT && !oldest.done) kept.delete(oldest.value);
      kept.set(secret, { caller, until: now + FRESH_MS });
      return caller;
    },
    forget: () => {
      epoch += 1;
      kept.clear();
    },
  };
}

function hasExpired({ token }: Caller): boolean {
  return token.ends_at !== null && token.ends_at.getTime() <= Date.now();
}
