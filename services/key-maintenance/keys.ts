import { makeSigningKey } from '../../libs/crypto/signing-key.ts';
import { rotateSigningKey, trimSigningKeys } from '../../libs/store/oidc/keys.ts';
import type { JobRun } from './job.ts';

type KeyAction = Pick<JobRun, 'services' | 'now' | 'change'> & { onlyIfDue: boolean };

/** Adds a signing key and sends an event. Returns the key's id, or null if rotation was not due. */
export async function rotateKey({ services, now, change, onlyIfDue }: KeyAction): Promise<string | null> {
  const { keyring, events } = services;
  const key = await makeSigningKey();
  const added = await change(async (transaction) =>
    (await rotateSigningKey(transaction, { keyring, key, now, onlyIfDue })) ? 1 : 0,
  );
  if (added === 0) return null;
  events.send({ name: 'oidc-key.rotated', data: { kid: key.kid } });
  return key.kid;
}

/** Removes all signing keys except the newest and sends an event. Returns the ids of the removed keys. */
export async function trimKeys({ services, now, change, onlyIfDue }: KeyAction): Promise<string[]> {
  let removed: string[] = [];
  await change(async (transaction) => {
    removed = await trimSigningKeys(transaction, { now, onlyIfDue });
    return removed.length;
  });
  if (removed.length > 0) services.events.send({ name: 'oidc-key.trimmed', data: { kids: removed } });
  return removed;
}
