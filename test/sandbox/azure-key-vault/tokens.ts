import { randomBytes } from 'node:crypto';
import type { FakeRequest } from '../fake-server.ts';
import { tokenExpired, tokenMissing, tokenUnknown, type VendorError } from './vendor-error.ts';
import { wrongAudience, wrongIssuer } from './vendor-error.ts';

export const VAULT_AUDIENCE = 'https://vault.azure.net';

/** What a token says: for whom it is meant, by which tenant it was given out, and its end in milliseconds since the epoch. */
export type Claims = { audience: string; tenant: string; expiresAt: number };

export type Tokens = ReturnType<typeof createTokens>;

/** The tokens that the sign-in service has given out. */
export function createTokens() {
  const given = new Map<string, Claims>();

  return {
    give(claims: Claims): string {
      const token = randomBytes(32).toString('base64url');
      given.set(token, claims);
      return token;
    },
    read: (token: string): Claims | undefined => given.get(token),
    revokeAll: () => given.clear(),
  };
}

/** Why a vault of the tenant does not take the token of a request; undefined where it does. */
export function findTokenFault(
  { headers }: FakeRequest,
  tokens: Tokens,
  tenant: string,
): VendorError | undefined {
  const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return tokenMissing();
  const claims = tokens.read(token);
  if (!claims) return tokenUnknown();
  if (claims.expiresAt <= Date.now()) return tokenExpired();
  if (claims.audience !== VAULT_AUDIENCE) return wrongAudience(VAULT_AUDIENCE, claims.audience);
  if (claims.tenant !== tenant.toLowerCase()) return wrongIssuer(tenant, claims.tenant);
  return undefined;
}
