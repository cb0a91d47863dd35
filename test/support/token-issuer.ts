import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { DestinationIdentity } from '../../libs/connector/identity/destination-identity.ts';
import { makeSigningKey, signToken, type SigningKey } from '../../libs/crypto/signing-key.ts';

/** An issuer of identity tokens, for tests of a connector alone. */
export type TokenIssuer = {
  issuer: string;
  /** The identity of a destination; `claims` replace those of its tokens, `key` the one that signs them. */
  identityOf: (
    subject: string,
    audience: string,
    changes?: { claims?: object; key?: SigningKey; isSettling?: DestinationIdentity['isSettling'] },
  ) => DestinationIdentity;
  /** How many tokens were made. */
  made: () => number;
  close: () => void;
};

/** Starts an issuer on loopback that publishes one key. */
export async function startTokenIssuer(): Promise<TokenIssuer> {
  const own = await makeSigningKey();
  const server = createServer((request, response) => {
    const isKeys = request.url?.endsWith('/keys') === true;
    const document = { issuer, jwks_uri: `${issuer}/.well-known/keys` };
    response.end(JSON.stringify(isKeys ? { keys: [own.publicJwk] } : document));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/identity/oidc/secrets-sync`;
  let made = 0;
  return {
    issuer,
    identityOf: (subject, audience, { claims = {}, key = own, isSettling = () => false } = {}) => ({
      issuer,
      subject,
      isDraft: false,
      isSettling,
      isNewerThanKey: () => false,
      token: () => {
        made += 1;
        const now = Math.floor(Date.now() / 1000);
        const usual = { iss: issuer, sub: subject, aud: audience, jti: randomUUID() };
        return signToken(key, { ...usual, iat: now - 30, nbf: now - 30, exp: now + 600, ...claims });
      },
    }),
    made: () => made,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
