import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const KEY_BYTES = 32;
const ID_BYTES = 8;

export type MasterKey = { id: Buffer; key: Buffer };

/** The present master key, which seals, and the earlier ones, which only unseal until the re-wrap job has run. */
export type Keyring = { current: MasterKey; find: (id: Buffer) => MasterKey | undefined };

/** Where master keys come from; base64 of 32 bytes each. A KMS would be one more source here. */
export type KeySource = { key: string; file: string; oldKeys: string[] };

/** Throws an Error that says how to make a key where one is missing or malformed. */
export function loadKeyring(source: KeySource): Keyring {
  const text = source.key || readFileSync(source.file, 'utf8');
  const current = parseKey(text);
  const all = [current, ...source.oldKeys.map(parseKey)];
  return { current, find: (id) => all.find((candidate) => candidate.id.equals(id)) };
}

function parseKey(text: string): MasterKey {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) {
    throw new Error('a master key must be 32 bytes in base64; make one with: openssl rand -base64 32');
  }
  // The id only names the key: a truncated hash of 256 random bits tells nothing about them.
  const id = createHash('sha256').update('sealift master key id').update(key).digest().subarray(0, ID_BYTES);
  return { id, key };
}
