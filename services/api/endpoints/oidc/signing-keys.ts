import { LRUCache } from 'lru-cache';
import { makeSigningKey, type JWK } from '../../../../libs/crypto/signing-key.ts';
import { finishAuditEvents, insertAuditEvents } from '../../../../libs/store/audit/events.ts';
import { readClock } from '../../../../libs/store/maintenance/jobs.ts';
import { addFirstSigningKey, findSigningKey, listPublicKeys } from '../../../../libs/store/oidc/keys.ts';
import type { ApiServices } from '../../services.ts';

type Services = Pick<ApiServices, 'db' | 'keyring' | 'events'>;

// What another replica rotates or trims shows here so soon.
const FRESH_MS = 500;

// By database, of which a process has one.
const kept = new LRUCache<Services['db'], Promise<JWK[]>>({ max: 4, ttl: FRESH_MS });

/** The same from memory: one statement in half a second, however many ask. `forgetPublicKeys` after a change. */
export function publicKeys(services: Services, requestId: string): Promise<JWK[]> {
  const known = kept.get(services.db);
  if (known) return known;
  const keys = readPublicKeys(services, requestId);
  kept.set(services.db, keys);
  keys.catch(() => kept.delete(services.db));
  return keys;
}

/** The next who asks for the public keys sees them as they are. */
export function forgetPublicKeys({ db }: Pick<Services, 'db'>): void {
  kept.delete(db);
}

/** The public halves of all keys whose tokens verify, newest first; makes the first key where there is none. */
async function readPublicKeys(services: Services, requestId: string): Promise<JWK[]> {
  const keys = await listPublicKeys(services.db);
  if (keys.length > 0) return keys;
  await makeFirstKey(services, requestId);
  return listPublicKeys(services.db);
}

/** The key that signs now; makes the first one where there is none. */
export async function signingKey(
  services: Services,
  requestId: string,
): Promise<{ kid: string; privateJwk: JWK }> {
  const find = () => findSigningKey(services.db, services.keyring);
  const present = await find();
  if (present) return present;
  await makeFirstKey(services, requestId);
  const made = await find();
  if (!made) throw new Error('the signing key vanished while it was made');
  return made;
}

// Recorded as any other change of the keys, though nobody asked for it by name.
async function makeFirstKey({ db, keyring, events }: Services, requestId: string): Promise<void> {
  const key = await makeSigningKey();
  const isOurs = await db.transaction(async (transaction) => {
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
