import { timingSafeEqual } from 'node:crypto';
import { fingerprint } from '../../crypto/fingerprint.ts';

// 96 bits: nobody finds a mark by trying.
const LETTERS = 16;

/** The random text of a new token with a keyed mark at its end. */
export function marked(hashKey: Buffer, random: string): string {
  return random + markOf(hashKey, random);
}

/**
 * Whether this installation made the token, by its mark, without a look into the database. Tokens of earlier versions have
 * no mark.
 */
export function isIssuedToken(hashKey: Buffer, secret: string): boolean {
  const mark = Buffer.from(secret.slice(-LETTERS));
  const expected = Buffer.from(markOf(hashKey, secret.slice(0, -LETTERS)));
  return mark.length === expected.length && timingSafeEqual(mark, expected);
}

function markOf(hashKey: Buffer, random: string): string {
  return fingerprint(hashKey, 'token mark', random).toString('base64url').slice(0, LETTERS);
}
