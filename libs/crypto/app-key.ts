import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';

const ALGORITHM = 'RS256';
const LEAST_BITS = 2048;
// A longer key would take more than some milliseconds for each signature.
const MOST_BITS = 4096;
// The clocks of the two sides may differ by this much. A token must not last for more than ten minutes.
const CLOCK_SECONDS = 30;
const LIFE_SECONDS = 9 * 60;

/** What signs for an app: the number that its server gave it, and its private key as PEM. */
export type AppKey = { appId: number; privateKey: string };

/**
 * Identifies a private key: SHA-256 of its public half (DER), base64, as the app's own server shows it. Undefined if the
 * text is no unencrypted RSA key of 2048 to 4096 bits.
 */
export function fingerprintAppKey(pem: string): string | undefined {
  const key = readKey(pem);
  if (!key) return undefined;
  const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
  if (key.asymmetricKeyType !== 'rsa' || bits < LEAST_BITS || bits > MOST_BITS) return undefined;
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(der).digest('base64');
}

/** A token with which the app shows its server for some minutes who it is. */
export async function signAppToken({ appId, privateKey }: AppKey): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT()
    .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
    .setIssuer(String(appId))
    .setIssuedAt(now - CLOCK_SECONDS)
    .setExpirationTime(now + LIFE_SECONDS)
    .sign(createPrivateKey(privateKey));
}

function readKey(pem: string): KeyObject | undefined {
  // The first line says so. Otherwise OpenSSL would look for a passphrase.
  if (pem.includes('ENCRYPTED')) return undefined;
  try {
    return createPrivateKey(pem);
  } catch {
    return undefined;
  }
}
