import { createPublicKey, generateKeyPairSync, randomUUID, verify } from 'node:crypto';
import { unauthenticated } from './vendor-error.ts';

export type Account = { email: string; project: string };

export const DEFAULT_PROJECT = 'sealift-test';
const AUDIENCE = 'https://secretmanager.googleapis.com/';
const SCOPE = 'https://www.googleapis.com/auth/cloud-platform';

type Claims = Record<string, unknown>;

// Generating a key pair is slow, so all fakes of a process share one, under different key ids.
let shared: { privateKey: string; publicKey: string } | undefined;

function keyPair(): { privateKey: string; publicKey: string } {
  shared ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  return shared;
}

/** The service accounts of the cloud: issues keys and checks the tokens signed with them. */
export function createServiceAccounts() {
  const keys = new Map<string, Account>();
  const revoked = new Set<string>();
  const verified = new Map<string, Claims>();

  function readToken(token: string): { keyId: string; claims: Claims } {
    const [head = '', body = '', signature = ''] = token.split('.');
    const header = decode(head);
    const keyId = String(header['kid']);
    if (header['alg'] !== 'RS256' || !keys.has(keyId)) throw unauthenticated('The key is not known.');
    const known = verified.get(token);
    if (known) return { keyId, claims: known };
    const isSigned = verify(
      'RSA-SHA256',
      Buffer.from(`${head}.${body}`),
      createPublicKey(keyPair().publicKey),
      Buffer.from(signature, 'base64url'),
    );
    if (!isSigned) throw unauthenticated('The signature is invalid.');
    const claims = decode(body);
    verified.set(token, claims);
    return { keyId, claims };
  }

  return {
    /** Issues a new key and returns its JSON, like the console does. */
    createKey(project = DEFAULT_PROJECT, email = `sealift@${project}.iam.gserviceaccount.com`): string {
      const id = randomUUID().replaceAll('-', '');
      keys.set(id, { email, project });
      return JSON.stringify({
        type: 'service_account',
        project_id: project,
        private_key_id: id,
        private_key: keyPair().privateKey,
        client_email: email,
        client_id: '100000000000000000000',
        auth_uri: 'https://accounts.google.com/o/oauth2/auth',
        token_uri: 'https://oauth2.googleapis.com/token',
        universe_domain: 'googleapis.com',
      });
    },
    /** From now on the service refuses tokens signed with this key. */
    revoke: (json: string) => void revoked.add(String((JSON.parse(json) as Claims)['private_key_id'])),
    forgive: () => revoked.clear(),
    /** The account of a token. Throws Google's error for a bad one. */
    authenticate(authorization: string | undefined, isAccepted: (keyId: string) => boolean): Account {
      const token = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1];
      if (!token) throw unauthenticated('Expected OAuth 2 access token.');
      const { keyId, claims } = readToken(token);
      const account = keys.get(keyId);
      if (!isAccepted(keyId)) throw unauthenticated('The key is not known yet.');
      if (!account || revoked.has(keyId)) throw unauthenticated('The key was deleted or disabled.');
      checkClaims(claims, account.email);
      return account;
    },
  };
}

function checkClaims({ iss, sub, exp, iat, scope, aud }: Claims, email: string): void {
  const now = Date.now() / 1000;
  if (iss !== email || sub !== email) throw unauthenticated('The issuer is wrong.');
  if (typeof exp !== 'number' || typeof iat !== 'number') throw unauthenticated('The times are missing.');
  if (exp <= now || iat > now + 60 || exp - iat > 3600) throw unauthenticated('The token is not valid now.');
  const isMeant = aud === AUDIENCE || (typeof scope === 'string' && scope.split(' ').includes(SCOPE));
  if (!isMeant) throw unauthenticated('The token is meant for something else.');
}

function decode(part: string): Claims {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims;
  } catch {
    throw unauthenticated('The token cannot be read.');
  }
}
