import { createHash } from 'node:crypto';

const ID_BYTES = 8;

export type MasterKey = { id: Buffer; key: Buffer };

/** The present master key, which seals, and earlier keys, which only unseal until the re-wrap job has run. */
export type Keyring = { current: MasterKey; find: (id: Buffer) => MasterKey | undefined };

/** Each key has 32 bytes. */
export function createKeyring(current: Buffer, old: Buffer[] = []): Keyring {
  const present = identify(current);
  const all = [present, ...old.map(identify)];
  return { current: present, find: (id) => all.find((candidate) => candidate.id.equals(id)) };
}

function identify(key: Buffer): MasterKey {
  // The id only names the key: a truncated hash of 256 random bits reveals nothing about them.
  const id = createHash('sha256').update('sealift master key id').update(key).digest().subarray(0, ID_BYTES);
  return { id, key };
}
