import type { Database } from '../../../libs/db/connect.ts';
import { findCaller, type Caller } from './caller.ts';

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

/** Keeps callers by their token, in memory only. A token that nobody has yet cannot be shown by anybody: a new one works at once. */
export function createCallerCache(db: Database, hashKey: Buffer): CallerCache {
  const kept = new Map<string, { caller: Caller | undefined; until: number }>();
  // Those who show one token at the same moment share a look-up.
  const asking = new Map<string, Promise<Caller | undefined>>();
  let epoch = 0;

  const ask = async (secret: string, refused: () => void): Promise<Caller | undefined> => {
    const asked = epoch;
    const now = performance.now();
    const caller = await findCaller(db, hashKey, secret).finally(() => asking.delete(secret));
    if (!caller) refused();
    // What was read before a change of rights must not outlive it.
    if (asked !== epoch) return caller;
    const oldest = kept.keys().next();
    if (kept.size >= MOST_KEPT && !oldest.done) kept.delete(oldest.value);
    kept.set(secret, { caller, until: now + FRESH_MS });
    return caller;
  };

  return {
    find: async (secret, refused) => {
      const now = performance.now();
      const known = kept.get(secret);
      if (known && known.until > now && !(known.caller && hasExpired(known.caller))) return known.caller;
      kept.delete(secret);
      const shared = asking.get(secret) ?? ask(secret, refused);
      asking.set(secret, shared);
      return shared;
    },
    isKnown: (secret) => {
      const known = kept.get(secret);
      return known !== undefined && (known.caller !== undefined || known.until > performance.now());
    },
    forget: () => {
      epoch += 1;
      asking.clear();
      kept.clear();
    },
  };
}

function hasExpired({ token }: Caller): boolean {
  return token.ends_at !== null && token.ends_at.getTime() <= Date.now();
}
