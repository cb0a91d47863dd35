import { LRUCache } from 'lru-cache';
import type { JWK } from '../../../../libs/crypto/signing-key.ts';
import { makeFirstKey } from '../../../../libs/service/signing-key.ts';
import { listPublicKeys } from '../../../../libs/store/oidc/keys.ts';
import type { ApiServices } from '../../services.ts';

type Services = Pick<ApiServices, 'db' | 'keyring' | 'events'>;

// If another replica rotates or trims the keys, this one shows it after this time.
const FRESH_MS = 500;

// Keyed by database. A process has one database.
const kept = new LRUCache<Services['db'], Promise<JWK[]>>({ max: 4, ttl: FRESH_MS });

/**
 * The public keys from memory: one statement in half a second, however many callers ask. Call `forgetPublicKeys` after
 * a change.
 */
export function publicKeys(services: Services, requestId: string): Promise<JWK[]> {
  const known = kept.get(services.db);
  if (known) return known;
  const keys = readPublicKeys(services, requestId);
  kept.set(services.db, keys);
  keys.catch(() => kept.delete(services.db));
  return keys;
}

/** The next caller of `publicKeys` gets the keys as they are then. */
export function forgetPublicKeys({ db }: Pick<Services, 'db'>): void {
  kept.delete(db);
}

/** The public keys of all keys whose tokens are valid, newest first. Makes the first key if there is none. */
async function readPublicKeys(services: Services, requestId: string): Promise<JWK[]> {
  const keys = await listPublicKeys(services.db);
  if (keys.length > 0) return keys;
  await makeFirstKey(services, { actor: 'api', requestId });
  return listPublicKeys(services.db);
}
