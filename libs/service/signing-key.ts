import type { Keyring } from '../crypto/keyring.ts';
import { makeSigningKey } from '../crypto/signing-key.ts';
import type { Database } from '../db/connect.ts';
import { transact } from '../db/transact.ts';
import { finishAuditEvents, insertAuditEvents } from '../store/audit/events.ts';
import { readClock } from '../store/maintenance/jobs.ts';
import { addFirstSigningKey, findSigningKey, type PresentSigningKey } from '../store/oidc/keys.ts';
import type { Event } from '../queue/events.ts';

type Services = { db: Database; keyring: Keyring; events: { send: (event: Event) => void } };

/** Who needed the key; `requestId` null: no request did. */
type Asker = { actor: string; requestId: string | null };

/** The key that signs now. Makes the first key if there is none. */
export async function signingKey(services: Services, asker: Asker): Promise<PresentSigningKey> {
  const find = () => findSigningKey(services.db, services.keyring);
  const present = await find();
  if (present) return present;
  await makeFirstKey(services, asker);
  const made = await find();
  if (!made) throw new Error('the signing key disappeared while it was created');
  return made;
}

/** Makes the first key if there is none. Audited like any other change of the keys, although no caller asked for it by name. */
export async function makeFirstKey(
  { db, keyring, events }: Services,
  { actor, requestId }: Asker,
): Promise<void> {
  const key = await makeSigningKey();
  const isOurs = await transact(db, async (transaction) => {
    const now = await readClock(transaction);
    if (!(await addFirstSigningKey(transaction, { keyring, key, now }))) return false;
    const event = { at: now, accessor: null, actor, namespace: '', path: '', requestId };
    const [id = 0] = await insertAuditEvents(transaction, [{ ...event, action: 'first signing key' }]);
    const detail = { added: key.kid };
    await finishAuditEvents(transaction, [{ id, outcome: 'succeeded', status: null, detail }]);
    return true;
  });
  if (isOurs) events.send({ name: 'oidc-key.rotated', data: { kid: key.kid } });
}
