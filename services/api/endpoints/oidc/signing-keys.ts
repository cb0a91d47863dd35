import { LRUCache } from 'lru-cache';
import { transact } from '../../../../libs/db/transact.ts';
import { makeSigningKey, type JWK } from '../../../../libs/crypto/signing-key.ts';
import { finishAuditEvents, insertAuditEvents } from '../../../../libs/store/audit/events.ts';
import { readClock } from '../../../../libs/store/maintenance/jobs.ts';
import { addFirstSigningKey, findSigningKey, listPublicKeys } from '../../../../libs/store/oidc/keys.ts';
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
  await makeFirstKey(services, requestId);
  return listPublicKeys(services.db);
}

/** The key that signs now. Makes the first key if there is none. */
export async function signingKey(
  services: Services,
  requestId: string,
): Promise<{ kid: string; privateJwk: JWK }> {
  const find = () => findSigningKey(services.db, services.keyring);
  const present = await find();
  if (present) return present;
  await makeFirstKey(services, requestId);
  const made = await find();
  if (!made) throw new Error('the signing key disappeared while it was created');
  return made;
}

// Audited like any other change of the keys, although no caller asked for it by name.
async function makeFirstKey({ db, keyring, events }: Services, requestId: string): Promise<void> {
  const key = await makeSigningKey();
  const isOurs = await transact(db, async (transaction) => {
    const now = await readClock(transaction);
    if (!(await addFirstSigningKey(transaction, { keyring, key, now }))) return false;
    const event = { at: now, accessor: null, actor: 'api', namespace: '', path: '', requestId };
    const [id = 0] = await insertAuditEvents(transaction, [{ ...event, action: 'first signing key' }]);
    const detail = { added: key.kid };
    await finishAuditEvents(transaction, [{ id, outcome: 'succeeded', status: null, detail }]);
    return true;
  });
  if (isOurs) events.send({ name: 'oidc-key.rotated', data: { kid: key.kid } });
}
