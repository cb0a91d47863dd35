import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { CommandError } from '../exit-codes.ts';

/** How the key follows from the passphrase; the salt is base64. */
export type KeyDerivation = { name: 'scrypt'; n: number; r: number; p: number; salt: string };

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
// 128 MiB of memory for each guess at the passphrase.
const COST = { n: 2 ** 17, r: 8, p: 1 };
// A file may ask for more, but not for all the memory of the machine.
const MOST = { n: 2 ** 20, r: 8, p: 4 };

/** A new derivation, with a random salt: each file has its own key. */
export function createDerivation(): KeyDerivation {
  return { name: 'scrypt', ...COST, salt: randomBytes(KEY_BYTES).toString('base64') };
}

/** The key of a file. Throws CommandError for a derivation that costs more than a machine has. */
export function deriveKey(passphrase: string, { n, r, p, salt }: KeyDerivation): Promise<Buffer> {
  const isPowerOfTwo = Number.isInteger(Math.log2(n));
  if (!isPowerOfTwo || n < 2 ** 14 || n > MOST.n || r !== MOST.r || !(p >= 1 && p <= MOST.p))
    throw new CommandError(
      'failed',
      'the first line of the file asks for a key derivation that is not allowed',
    );
  const options = { N: n, r, p, maxmem: 256 * n * r };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize(), Buffer.from(salt, 'base64'), KEY_BYTES, options, (error, key) => {
      if (error) reject(error);
      else resolve(key);
    });
  });
}

/** Seals a text; it opens only with the same `binding`. Returns base64. */
export function sealText(key: Buffer, text: string, binding: unknown[]): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(JSON.stringify(binding)));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** Undefined if the key or the binding is another one, or if the sealed text was changed. */
export function openText(key: Buffer, sealed: string, binding: unknown[]): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(JSON.stringify(binding)));
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return (
      decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
    );
  } catch {
    return undefined;
  }
}
