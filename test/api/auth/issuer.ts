import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  exportSPKI,
  generateKeyPair,
  SignJWT,
  type CryptoKey,
  type JWK,
  type JWTPayload,
} from 'jose';

type Key = { alg: string; kid: string; privateKey: CryptoKey; publicKey: CryptoKey; jwk: JWK };

/** What a token has besides the usual claims, and how it is signed; `kid` null: its header has none. */
export type Signing = { key?: Key; kid?: string | null; expiresIn?: number; alg?: string };

/**
 * An identity provider at an address of its own: a discovery document, a key set, and tokens that it signs. `down`: the
 * status with which it answers everything; 0: it works.
 */
export type Issuer = {
  /** The issuer, which is also where its discovery document is found. */
  url: string;
  keysUrl: string;
  key: Key;
  keys: JWK[];
  state: { down: number; asked: number; named: string; jwksUri: string };
  rotate: () => Promise<Key>;
  pem: () => Promise<string>;
  sign: (claims: JWTPayload, signing?: Signing) => Promise<string>;
  stop: () => Promise<void>;
};

/** Makes a key of an issuer. */
export async function makeKey(alg: string, kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { alg, kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Starts an issuer; `path`: below which it answers. Undo: `stop`. */
export async function startIssuer({ alg = 'RS256', path = '' } = {}): Promise<Issuer> {
  const state = { down: 0, asked: 0, named: '', jwksUri: '' };
  const keys: JWK[] = [];
  const server = createServer((request, response) => {
    state.asked += 1;
    const answer = (status: number, body: unknown): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (state.down !== 0) answer(state.down, {});
    else if (request.url?.endsWith('/.well-known/openid-configuration'))
      answer(200, { issuer: state.named, jwks_uri: state.jwksUri });
    else if (request.url?.endsWith('/keys')) answer(200, { keys });
    else answer(404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const first = await makeKey(alg, 'key-1');
  keys.push(first.jwk);
  const issuer: Issuer = {
    url: `${base}${path}`,
    keysUrl: `${base}/keys`,
    key: first,
    keys,
    state,
    rotate: async () => {
      issuer.key = await makeKey(alg, `key-${keys.length + 1}`);
      keys.push(issuer.key.jwk);
      return issuer.key;
    },
    pem: () => exportSPKI(issuer.key.publicKey),
    sign: (claims, { key = issuer.key, kid = key.kid, expiresIn = 600, alg: named = key.alg } = {}) => {
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: issuer.url, iat: now, exp: now + expiresIn };
      const header = { alg: named, typ: 'JWT', ...(kid === null ? {} : { kid }) };
      return new SignJWT({ ...usual, ...claims }).setProtectedHeader(header).sign(key.privateKey);
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  Object.assign(state, { named: issuer.url, jwksUri: issuer.keysUrl });
  return issuer;
}
