import { createPublicKey, type KeyObject } from 'node:crypto';
import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose';

/** The signatures that count. Those with a shared secret, and none, never do. */
export const TOKEN_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
];

const CURVES: Record<string, string> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521', EdDSA: 'Ed25519' };
const PARTS = ['kty', 'kid', 'alg', 'n', 'e', 'crv', 'x', 'y'] as const;
const MOST_KEYS = 100;
const MOST_TRIED = 20;
const LONGEST_PART = 2000;

/** A token is not signed by any of the keys. `isUnknownKey`: newer keys may verify it. Callers may see the message. */
export class SignatureError extends Error {
  readonly isUnknownKey: boolean;
  constructor(message: string, { isUnknownKey = false } = {}) {
    super(message);
    this.name = 'SignatureError';
    this.isUnknownKey = isUnknownKey;
  }
}

/** The payload of a JWT that one of the keys has signed, as text. Checks no claim. Throws SignatureError. */
export async function verifySignature(token: string, keys: JWK[], algorithms: string[]): Promise<string> {
  const { alg, kid } = headerOf(token);
  if (alg === undefined || !algorithms.includes(alg))
    throw new SignatureError('the algorithm of the signature is not accepted');
  const candidates = keys.filter((key) => fits(key, alg, kid));
  for (const key of candidates.slice(0, MOST_TRIED)) {
    try {
      const { payload } = await compactVerify(token, await importJWK(key, alg), { algorithms: [alg] });
      return Buffer.from(payload).toString();
    } catch {
      // Another key may have signed it.
    }
  }
  const isUnknownKey = candidates.length === 0 || kid === undefined;
  throw new SignatureError('no key of the issuer verifies the signature', { isUnknownKey });
}

/** The payload of a JWT as text, which anybody may have written. Throws SignatureError if the token is no signed JWT. */
export function readUnverified(token: string): string {
  headerOf(token);
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token) ?? [];
  if (payload === undefined) throw new SignatureError('the token is no signed JWT');
  return Buffer.from(payload, 'base64url').toString();
}

function headerOf(token: string): { alg?: string | undefined; kid?: string | undefined } {
  let header;
  try {
    header = decodeProtectedHeader(token);
  } catch {
    throw new SignatureError('the token is no signed JWT');
  }
  // An extension that we do not know may change what the signature means.
  if (header.crit !== undefined || header.b64 !== undefined)
    throw new SignatureError('the header of the token has critical extensions');
  return { alg: header.alg, kid: header.kid };
}

// A key without an id may be any.
function fits(key: JWK, alg: string, kid: string | undefined): boolean {
  if (kid !== undefined && key.kid !== undefined && key.kid !== kid) return false;
  if (key.alg !== undefined && key.alg !== alg && !(alg === 'EdDSA' && key.alg === 'Ed25519')) return false;
  return /^[RP]S/.test(alg) ? key.kty === 'RSA' : key.crv === CURVES[alg];
}

/**
 * The public keys for signatures in a key set (RFC 7517); those of other kinds are left out. Throws Error if it is no key set, or has
 * no such key, or too many.
 */
export function signingKeysOf(keySet: unknown): JWK[] {
  const { keys } = (keySet ?? {}) as { keys?: unknown };
  if (!Array.isArray(keys)) throw new Error('it is no key set');
  if (keys.length > MOST_KEYS) throw new Error(`it has more than ${MOST_KEYS} keys`);
  const usable = keys.flatMap((key: unknown) => {
    const plain = isForSignatures(key) ? publicPartOf(key) : undefined;
    return plain ? [plain] : [];
  });
  if (usable.length === 0) throw new Error(`it has no key that verifies signatures; ${RSA_RULE}`);
  return usable;
}

// A signature with a shorter key would be refused at each log-in. Longer ones, and other exponents than the usual, cost
// much: anybody can send tokens that they are tried on.
const LEAST_RSA_BYTES = 256;
const MOST_RSA_BYTES = 512;
const MOST_EXPONENT_BYTES = 4;
const RSA_RULE = 'RSA keys have 2048 to 4096 bits, and an exponent of at most 32 bits';

function isForSignatures(key: unknown): boolean {
  const { use, key_ops: uses } = (key ?? {}) as { use?: unknown; key_ops?: unknown };
  return use !== 'enc' && (!Array.isArray(uses) || uses.includes('verify'));
}

function isUsableRsa({ n, e }: Record<string, unknown>): boolean {
  const bytes = bytesOf(n);
  return bytes >= LEAST_RSA_BYTES && bytes <= MOST_RSA_BYTES && bytesOf(e) <= MOST_EXPONENT_BYTES;
}

// Zeros in front count for nothing.
function bytesOf(part: unknown): number {
  const bytes = Buffer.from(String(part), 'base64url');
  const first = bytes.findIndex((byte) => byte !== 0);
  return first < 0 ? 0 : bytes.length - first;
}

function publicPartOf(key: unknown): JWK | undefined {
  const given = (key ?? {}) as Record<string, unknown>;
  const parts = PARTS.filter((name) => given[name] !== undefined);
  const isPlain = parts.every((name) => {
    const part = given[name];
    return typeof part === 'string' && part.length <= LONGEST_PART;
  });
  if (!isPlain || !['RSA', 'EC', 'OKP'].includes(String(given['kty']))) return undefined;
  if (given['kty'] === 'RSA' && !isUsableRsa(given)) return undefined;
  return Object.fromEntries(parts.map((name) => [name, given[name]])) as JWK;
}

/** A public key, or that of a certificate, in PEM. Throws Error with a sentence. */
export function publicKeyOf(pem: string): JWK {
  if (/PRIVATE KEY/.test(pem)) throw new Error('a private key was sent: send only public keys');
  let key: KeyObject;
  try {
    key = createPublicKey(pem);
  } catch {
    throw new Error('error parsing public key: it is neither a public key nor a certificate in PEM');
  }
  const given = key.asymmetricKeyType === 'rsa-pss' ? undefined : exported(key);
  if (key.asymmetricKeyType === 'rsa' && !isUsableRsa((given ?? {}) as Record<string, unknown>))
    throw new Error(`error parsing public key: ${RSA_RULE}`);
  const jwk = publicPartOf(given);
  if (!jwk || (jwk.kty !== 'RSA' && !Object.values(CURVES).includes(jwk.crv ?? '')))
    throw new Error('error parsing public key: only RSA, P-256, P-384, P-521 and Ed25519 are supported');
  return jwk;
}

function exported(key: KeyObject): unknown {
  try {
    return key.export({ format: 'jwk' });
  } catch {
    return undefined;
  }
}
