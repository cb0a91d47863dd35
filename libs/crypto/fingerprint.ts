import { createHmac, hash, randomBytes } from 'node:crypto';

/** A keyed hash: shows whether two values are equal, and nothing else. `purpose` separates different uses. */
export function fingerprint(hashKey: Buffer, purpose: string, value: string | Buffer): Buffer {
  return createHmac('sha256', hashKey).update(purpose).update('\0').update(value).digest();
}

/**
 * 128 bits of a hash in the form of a UUID: the same input gives the same identifier. It does not hide input that can be
 * guessed.
 */
export function hashUuid(value: string): string {
  const hex = hash('sha256', value);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** 256 random bits, URL-safe. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url');
}

const ALPHANUMERIC = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** A random identifier of letters and digits; not a credential. */
export function randomId(length: number): string {
  return Array.from(randomBytes(length * 2), (byte) => ALPHANUMERIC[byte % 64] ?? '')
    .join('')
    .slice(0, length)
    .padEnd(length, '0');
}
