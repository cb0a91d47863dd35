import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Keyring } from './keyring.ts';

// Layout: version (1) · master key id (8) · wrapped data key (12 + 32 + 16) · body (12 + n + 16).
const VERSION = 1;
const ID_END = 9;
const WRAPPED_END = ID_END + 12 + 32 + 16;

/** A sealed value could not be opened: wrong key, moved to another row, or damaged. It never means "absent". */
export class UnsealError extends Error {
  constructor(reason: string) {
    super(`a sealed value cannot be opened: ${reason}`);
    this.name = 'UnsealError';
  }
}

/**
 * Envelope encryption: a fresh data key seals the value, the master key wraps the data key.
 * `identity` names the row and column; it is authenticated, so a sealed value cannot be moved elsewhere.
 */
export function seal(keyring: Keyring, plaintext: Buffer | string, identity: string): Buffer {
  const dataKey = randomBytes(32);
  const context = Buffer.from(identity);
  return Buffer.concat([
    Buffer.from([VERSION]),
    keyring.current.id,
    encrypt(keyring.current.key, dataKey, context),
    encrypt(dataKey, Buffer.from(plaintext), context),
  ]);
}

/** Throws UnsealError. */
export function unseal(keyring: Keyring, sealed: Buffer, identity: string): Buffer {
  const context = Buffer.from(identity);
  const dataKey = unwrap(keyring, sealed, context);
  return decrypt(dataKey, sealed.subarray(WRAPPED_END), context);
}

/** Seals the value's data key again with the present master key; null if it already is. Does not decrypt the body. */
export function rewrap(keyring: Keyring, sealed: Buffer, identity: string): Buffer | null {
  if (sealed.subarray(1, ID_END).equals(keyring.current.id)) return null;
  const context = Buffer.from(identity);
  const dataKey = unwrap(keyring, sealed, context);
  return Buffer.concat([
    Buffer.from([VERSION]),
    keyring.current.id,
    encrypt(keyring.current.key, dataKey, context),
    sealed.subarray(WRAPPED_END),
  ]);
}

function unwrap(keyring: Keyring, sealed: Buffer, context: Buffer): Buffer {
  if (sealed.length < WRAPPED_END + 28 || sealed[0] !== VERSION) throw new UnsealError('unknown format');
  const master = keyring.find(sealed.subarray(1, ID_END));
  if (!master) {
    throw new UnsealError(
      `it was sealed with master key ${sealed.subarray(1, ID_END).toString('hex')}, which is not configured; add that key to SEALIFT_OLD_MASTER_KEYS`,
    );
  }
  return decrypt(master.key, sealed.subarray(ID_END, WRAPPED_END), context);
}

function encrypt(key: Buffer, plaintext: Buffer, context: Buffer): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(context);
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, box: Buffer, context: Buffer): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, 12)).setAAD(context);
    decipher.setAuthTag(box.subarray(-16));
    return Buffer.concat([decipher.update(box.subarray(12, -16)), decipher.final()]);
  } catch {
    throw new UnsealError('it is damaged or belongs to another row');
  }
}
