import { randomBytes } from 'node:crypto';
import type { FakeRequest } from '../fake-server.ts';
import { tokenExpired, tokenMissing, tokenUnknown, type VendorError } from './vendor-error.ts';
import { wrongAudience, wrongIssuer } from './vendor-error.ts';

export const VAULT_AUDIENCE = 'https://vault.azure.net';

/** The claims of a token: its audience, the tenant that issued it, and its expiry in milliseconds since the epoch. */
export type Claims = { audience: string; tenant: string; expiresAt: number };

export type Tokens = ReturnType<typeof createTokens>;

/** The tokens that the sign-in service has issued. */
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

/** Why a vault of the tenant rejects the token of a request; undefined if it accepts it. */
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
