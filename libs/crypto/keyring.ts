import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ConfigError } from '../config/config.ts';

const KEY_BYTES = 32;
const ID_BYTES = 8;

export type MasterKey = { id: Buffer; key: Buffer };

/** The present master key, which seals, and the earlier ones, which only unseal until the re-wrap job has run. */
export type Keyring = { current: MasterKey; find: (id: Buffer) => MasterKey | undefined };

/** Where master keys come from; base64 of 32 bytes each. A KMS would be one more source here. */
export type KeySource = { key: string; file: string; oldKeys: string[] };

/** Throws ConfigError where a key is malformed, or its file cannot be read. */
export function loadKeyring(source: KeySource): Keyring {
  const current = source.key
    ? parseKey(source.key, 'SEALIFT_MASTER_KEY')
    : parseKey(readKey(source.file), 'the file of SEALIFT_MASTER_KEY_FILE');
  const all = [current, ...source.oldKeys.map((key) => parseKey(key, 'each of SEALIFT_OLD_MASTER_KEYS'))];
  return { current, find: (id) => all.find((candidate) => candidate.id.equals(id)) };
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError([`SEALIFT_MASTER_KEY_FILE cannot be read: ${code}`]);
  }
}

function parseKey(text: string, setting: string): MasterKey {
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length !== KEY_BYTES) {
    throw new ConfigError([`${setting} must be 32 bytes in base64; make one with: openssl rand -base64 32`]);
  }
  // The id only names the key: a truncated hash of 256 random bits tells nothing about them.
  const id = createHash('sha256').update('sealift master key id').update(key).digest().subarray(0, ID_BYTES);
  return { id, key };
}
