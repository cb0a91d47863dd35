import { isLosslessNumber } from 'lossless-json';
import { findInSlices } from '../../../libs/time/slices.ts';
import { matchesGlob } from '../../../libs/validation/glob.ts';
import { isJsonObject } from '../../../libs/validation/lossless.ts';

/** The claims of a token whose signature was verified. Numbers may be `LosslessNumber`. */
export type Claims = Record<string, unknown>;

/** A token was verified, and does not do. `part`: what was wrong with it. Callers may see the message. */
export class ClaimsError extends Error {
  readonly part: 'token' | 'claims';
  constructor(part: 'token' | 'claims', message: string) {
    super(message);
    this.name = 'ClaimsError';
    this.part = part;
  }
}

/** What a role asks of the claims of a token. */
export type ClaimRules = {
  bound_audiences: string[];
  bound_subject: string;
  /** By name, or by JSON pointer if it begins with a slash: the values of which one must be there. */
  bound_claims: Record<string, unknown>;
  bound_claims_type: 'string' | 'glob';
};

/** Throws ClaimsError if a token is not valid now. */
export function checkValidity(claims: Claims, leewaySeconds: number): void {
  const now = Date.now() / 1000;
  const [expires, begins, issued] = ['exp', 'nbf', 'iat'].map((name) => timeOf(claims, name));
  if (expires === undefined) throw new ClaimsError('token', 'the token has no expiration time (exp)');
  if (now >= expires + leewaySeconds) throw new ClaimsError('token', 'the token has expired');
  if (begins !== undefined && now < begins - leewaySeconds)
    throw new ClaimsError('token', 'the token is not valid yet (nbf)');
  if (issued !== undefined && now < issued - leewaySeconds)
    throw new ClaimsError('token', 'the token was issued in the future (iat)');
}

/** Throws ClaimsError if a token is of another issuer; an empty list allows all. */
export function checkIssuer(claims: Claims, issuers: string[]): void {
  if (issuers.some((issuer) => claims['iss'] !== issuer))
    throw new ClaimsError('token', 'the token is of another issuer (iss)');
}

function timeOf(claims: Claims, name: string): number | undefined {
  if (claims[name] === undefined) return undefined;
  const seconds = Number(scalarOf(claims[name]) ?? NaN);
  if (typeof claims[name] === 'string' || !Number.isFinite(seconds))
    throw new ClaimsError('token', `the claim ${name} is no number`);
  return seconds;
}

/** Throws ClaimsError if the claims are not as the role asks. */
export async function checkClaims(claims: Claims, rules: ClaimRules): Promise<void> {
  checkAudience(claims['aud'], rules.bound_audiences);
  if (rules.bound_subject !== '' && claims['sub'] !== rules.bound_subject)
    throw new ClaimsError('claims', 'sub claim does not match bound subject');
  const isGlob = rules.bound_claims_type === 'glob';
  for (const [name, expected] of Object.entries(rules.bound_claims)) {
    const found = claimAt(claims, name);
    if (found === undefined || found === null)
      throw new ClaimsError('claims', `claim ${JSON.stringify(name)} is missing`);
    const texts = textsOf(found);
    // The token and the role may both have many values.
    const fitting = await findInSlices(textsOf(expected), (wanted) =>
      texts.some((text) => (isGlob ? matchesGlob(wanted, text) : wanted === text)),
    );
    if (fitting === undefined)
      throw new ClaimsError(
        'claims',
        `claim ${JSON.stringify(name)} does not match any associated bound claim values`,
      );
  }
}

/**
 * Throws ClaimsError unless a token is for one of the audiences. A token for somebody else must not log in here, so one
 * with an audience needs a role that names it.
 */
export function checkAudience(audience: unknown, bound: string[]): void {
  const named = textsOf(audience ?? []);
  if (bound.length === 0 && named.length > 0)
    throw new ClaimsError('claims', 'audience claim found in JWT but no audiences bound to the role');
  if (bound.length > 0 && !named.some((text) => bound.includes(text)))
    throw new ClaimsError('claims', 'aud claim does not match any bound audience');
}

/** A claim by its name, or by JSON pointer (RFC 6901) if that begins with a slash. Undefined if there is none. */
export function claimAt(claims: Claims, name: string): unknown {
  const path = name.startsWith('/') ? name.slice(1).split('/').map(unescape) : [name];
  let found: unknown = claims;
  for (const key of path) {
    if (Array.isArray(found)) found = /^\d{1,6}$/.test(key) ? found[Number(key)] : undefined;
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  return found;
}

function unescape(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The text of a claim that is a text, a number or a boolean; undefined for any other. */
export function scalarOf(claim: unknown): string | undefined {
  if (typeof claim === 'string' || typeof claim === 'number' || typeof claim === 'boolean')
    return String(claim);
  return isLosslessNumber(claim) ? claim.toString() : undefined;
}

/** The texts of a claim that is one of these, or a list of them. */
export function textsOf(claim: unknown): string[] {
  const list: unknown[] = Array.isArray(claim) ? claim : [claim];
  return list.flatMap((one) => scalarOf(one) ?? []);
}
