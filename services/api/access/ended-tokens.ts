import { LRUCache } from 'lru-cache';
import type { Database } from '../../../libs/db/connect.ts';
import { findEndedToken, type EndedToken } from '../../../libs/store/access/tokens.ts';

const FRESH_MS = 10_000;
const MOST_KEPT = 5000;

/** Finds whose token it was that has ended, as long as its row exists. A token is looked up once in ten seconds. */
export function createEndedTokens(
  db: Database,
  hashKey: Buffer,
): (secret: string) => Promise<EndedToken | undefined> {
  const cache = new LRUCache<string, { token?: EndedToken }>({
    max: MOST_KEPT,
    ttl: FRESH_MS,
    fetchMethod: async (secret) => {
      const token = await findEndedToken(db, hashKey, secret);
      return token ? { token } : {};
    },
  });
  return async (secret) => (await cache.fetch(secret))?.token;
}
