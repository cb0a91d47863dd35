import { readFileSync } from 'node:fs';
import { ConfigError, listSetting, type Config } from '../config/config.ts';
import { looksWrapped, parseWrapped, type WrappedKey } from './wrapped-key.ts';

const KEY_BYTES = 32;

export type MasterKeySettings = Pick<
  Config,
  'SEALIFT_MASTER_KEY' | 'SEALIFT_MASTER_KEY_FILE' | 'SEALIFT_OLD_MASTER_KEYS'
>;

/** A master key as configured, with the setting that it came from. */
export type GivenKey = { setting: string } & ({ key: Buffer } | { wrapped: WrappedKey });

/** The present master key, then the earlier ones; still wrapped. Throws ConfigError. */
export function readGivenKeys(config: MasterKeySettings): [GivenKey, ...GivenKey[]] {
  refuseTwoKeys(config);
  const current = config.SEALIFT_MASTER_KEY
    ? parseKey(config.SEALIFT_MASTER_KEY, 'SEALIFT_MASTER_KEY')
    : parseKey(readKeyFile(config.SEALIFT_MASTER_KEY_FILE), 'the file of SEALIFT_MASTER_KEY_FILE');
  const old = listSetting(config.SEALIFT_OLD_MASTER_KEYS);
  return [
    current,
    ...old.map((text, index) => parseKey(text, `key ${index + 1} of SEALIFT_OLD_MASTER_KEYS`)),
  ];
}

/** Parses a master key, plain or wrapped; `setting` says where it came from. Throws ConfigError. */
export function parseKey(text: string, setting: string): GivenKey {
  const trimmed = text.trim();
  if (looksWrapped(trimmed)) {
    const wrapped = parseWrapped(trimmed);
    if (typeof wrapped === 'string')
      throw new ConfigError([`${setting} is not a valid wrapped master key: ${wrapped}`]);
    return { setting, wrapped };
  }
  const key = Buffer.from(trimmed, 'base64');
  if (key.length === KEY_BYTES) return { setting, key };
  throw new ConfigError([
    `${setting} must be 32 bytes in base64, or the output of \`sealift master-key wrap\`; create a plain one with: openssl rand -base64 32`,
  ]);
}

// Nobody could tell which of the two seals.
function refuseTwoKeys({ SEALIFT_MASTER_KEY: key, SEALIFT_MASTER_KEY_FILE: file }: MasterKeySettings): void {
  if (!key || !file || readKeyFile(file).trim() === key.trim()) return;
  throw new ConfigError([
    'SEALIFT_MASTER_KEY and SEALIFT_MASTER_KEY_FILE are both set, and hold different keys: remove one',
  ]);
}

function readKeyFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new ConfigError([`SEALIFT_MASTER_KEY_FILE cannot be read: ${code}`]);
  }
}
