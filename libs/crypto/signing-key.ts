import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  SignJWT,
  type JWK,
  type JWTPayload,
} from 'jose';

export type { JWK } from 'jose';

const ALGORITHM = 'RS256';
const MODULUS_BITS = 2048;

/** A key that signs workload tokens; `kid` is the RFC 7638 thumbprint of its public half. */
export type SigningKey = { kid: string; publicJwk: JWK; privateJwk: JWK };

/** Takes about a tenth of a second of processor time. */
export async function makeSigningKey(): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, {
    modulusLength: MODULUS_BITS,
    extractable: true,
  });
  const bare = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(bare);
  const described = { kid, use: 'sig', alg: ALGORITHM };
  return {
    kid,
    publicJwk: { ...bare, ...described },
    privateJwk: { ...(await exportJWK(privateKey)), ...described },
  };
}

/** A signed JWT in compact form; the caller decides on all claims. */
export async function signToken(key: { kid: string; privateJwk: JWK }, claims: JWTPayload): Promise<string> {
  const signing = await importJWK(key.privateJwk, ALGORITHM);
  return new SignJWT(claims).setProtectedHeader({ alg: ALGORITHM, kid: key.kid, typ: 'JWT' }).sign(signing);
}
