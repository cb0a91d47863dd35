import { generateKeyPairSync } from 'node:crypto';

/** The keys of an app as GitHub gives them out: the private one as PKCS #1. */
export function createAppKeys(bits = 2048): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('rsa', {
    modulusLength: bits,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}
