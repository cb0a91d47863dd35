import {
  readUnverified,
  SignatureError,
  TOKEN_ALGORITHMS,
  verifySignature,
} from '../../../libs/crypto/verify-token.ts';
import type { JWK } from '../../../libs/crypto/signing-key.ts';
import { badRequest, unavailable } from '../../../libs/errors/request-error.ts';
import {
  findKeySet,
  noteFetchFault,
  storeFetched,
  takeFetch,
  type KeySource,
  type StoredKeySet,
} from '../../../libs/store/auth/key-sets.ts';
import type { AuthMount } from '../../../libs/store/auth/mounts.ts';
import { isJsonObject, parseLossless } from '../../../libs/validation/lossless.ts';
import type { ApiServices } from '../services.ts';
import type { Claims } from './claims.ts';

type Verified = { claims: Claims; issuer: string | null };

/**
 * The claims of a token that the issuer of an auth method has signed, and the issuer that its discovery document names.
 * If no key fits, the keys are fetched anew, at most once in 30 seconds. Throws SignatureError, and 503 if keys are needed
 * and no worker fetches them.
 */
export async function verifyJwt(
  services: Pick<ApiServices, 'db' | 'commands'>,
  mount: AuthMount,
  token: string,
): Promise<Verified> {
  const found = await findKeySet(services.db, mount.id);
  if (!found) throw badRequest('could not load configuration: write auth/{path}/config first');
  const algorithms = (mount.config['jwt_supported_algs'] as string[] | undefined) ?? [];
  const accepted = algorithms.length > 0 ? algorithms : TOKEN_ALGORITHMS;
  try {
    return await verifyBy(found.isOld ? [] : found.keys, found, token, accepted);
  } catch (error) {
    if (!(error instanceof SignatureError && error.isUnknownKey)) throw error;
    const renewed = await renew(services, mount);
    if (renewed) return verifyBy(renewed.keys, renewed, token, accepted);
    if (found.isOld) throw unavailable('the keys of the issuer could not be fetched for a day', 30);
    throw error;
  }
}

async function verifyBy(
  keys: JWK[],
  { issuer }: Pick<StoredKeySet, 'issuer'>,
  token: string,
  algorithms: string[],
): Promise<Verified> {
  return { claims: parseClaims(await verifySignature(token, keys, algorithms)), issuer };
}

/** The claims of a token that anybody may have written. Throws SignatureError if there are none. */
export function unverifiedClaims(token: string): Claims {
  return parseClaims(readUnverified(token));
}

function parseClaims(payload: string): Claims {
  try {
    const claims = parseLossless(payload);
    if (isJsonObject(claims)) return claims;
  } catch {
    // Said below.
  }
  throw new SignatureError('the claims are no JSON object');
}

async function renew(
  { db, commands }: Pick<ApiServices, 'db' | 'commands'>,
  { id: mountId }: AuthMount,
): Promise<StoredKeySet | undefined> {
  const source = await takeFetch(db, mountId);
  if (!source) return undefined;
  const { fault, issuer, keys } = await commands.call('key-maintenance', 'fetch-key-set', { source });
  if (fault === null) await storeFetched(db, { mountId, source }, { issuer, keys });
  else await noteFetchFault(db, mountId, fault);
  return fault === null ? findKeySet(db, mountId) : undefined;
}

/** Fetches keys for a new configuration. Throws 400 with what the worker says, and 503 without a worker. */
export async function fetchKeys(
  { commands }: Pick<ApiServices, 'commands'>,
  source: KeySource,
): Promise<{ issuer: string | null; keys: JWK[] }> {
  const { fault, issuer, keys } = await commands.call('key-maintenance', 'fetch-key-set', { source });
  if (fault === null) return { issuer, keys };
  const what = 'keySetUrl' in source ? 'jwks URL' : 'oidc discovery URL';
  throw badRequest(`error checking ${what}: ${fault}`);
}
