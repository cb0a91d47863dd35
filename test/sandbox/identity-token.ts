import { createLocalJWKSet, decodeJwt, errors, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';

/** Why a store refuses an identity token. */
export type TokenFault = 'unreadable' | 'issuer' | 'unreachable' | 'key' | 'expired' | 'claim';

/** The claims of a token, or what is wrong with it; `claim`: which one, if it is one. */
export type VerifiedToken = { claims: JWTPayload } | { fault: TokenFault; claim?: string };

/**
 * Verifies an identity token as a store does: fetches the documents of its issuer, which must be one that somebody has
 * told the store to trust, and checks signature and times. Keeps no keys, so a key that is gone is unknown at once.
 */
export async function verifyIdentityToken(token: string, trusted: string[]): Promise<VerifiedToken> {
  const issuer = issuerIn(token);
  if (issuer === undefined) return { fault: 'unreadable' };
  if (!trusted.includes(issuer)) return { fault: 'issuer' };
  const keys = await fetchKeys(issuer).catch(() => undefined);
  if (!keys) return { fault: 'unreachable' };
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer,
      algorithms: ['RS256'],
      requiredClaims: ['sub', 'aud', 'iat', 'nbf', 'exp', 'jti'],
    });
    // Stores take exactly one audience.
    return typeof payload.aud === 'string' ? { claims: payload } : { fault: 'claim', claim: 'aud' };
  } catch (error) {
    if (error instanceof errors.JWTExpired) return { fault: 'expired' };
    return error instanceof errors.JWTClaimValidationFailed
      ? { fault: 'claim', claim: error.claim }
      : { fault: 'key' };
  }
}

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

async function fetchKeys(issuer: string): Promise<JSONWebKeySet> {
  const document = (await fetchJson(`${issuer}/.well-known/openid-configuration`)) as {
    issuer: string;
    jwks_uri: string;
  };
  if (document.issuer !== issuer) throw new Error('the document names another issuer');
  return (await fetchJson(document.jwks_uri)) as JSONWebKeySet;
}

async function fetchJson(url: string): Promise<unknown> {
  const answer = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(5000) });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}
