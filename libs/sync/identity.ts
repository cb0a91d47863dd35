import { randomUUID } from 'node:crypto';
import { issuerOf } from '../config/config.ts';
import type { Destination } from '../connector/contract.ts';
import { ConnectorError } from '../connector/errors.ts';
import type { DestinationIdentity } from '../connector/identity/destination-identity.ts';
import { DEFAULT_TOKEN_SECONDS, tokenIssuer, tokenSubject } from '../connector/identity/identity.ts';
import { UnsealError } from '../crypto/seal.ts';
import { signToken } from '../crypto/signing-key.ts';
import type { EventSender } from '../queue/events.ts';
import type { Context } from '../service/context.ts';
import { signingKey } from '../service/signing-key.ts';

const MINUTE_MS = 60_000;
// Google refuses tokens that were made long ago, although they are still valid.
const LONGEST_USE_MS = 5 * MINUTE_MS;
const SETTLING_MS = {
  // What a store knows of a trust that was just made, it tells by and by.
  trust: 15 * MINUTE_MS,
  // Stores keep the keys that they fetched.
  key: 60 * MINUTE_MS,
};
// The clock of a store may be behind ours.
const BACKDATED_SECONDS = 30;

type Means = { context: Context; events: EventSender; destination: Destination };

type Named = {
  namespace: string;
  name: string;
  settings: Record<string, unknown>;
  /** How long ago the destination was changed, in milliseconds; null: unknown, but long. */
  changedMs: number | null;
  /** Whether the settings are only tested, not stored. */
  isDraft: boolean;
};

type Given = { token: string; until: number };

/**
 * Whether a destination was changed so lately that its store may not know yet what it signs in with. `changedMs`: how long
 * ago that was, in milliseconds; null: unknown, but long.
 */
export function newSince(changedMs: number | null): () => boolean {
  const settledAt = timeBefore(changedMs) + SETTLING_MS.trust;
  return () => performance.now() < settledAt;
}

// Null: long ago.
function timeBefore(ageMs: number | null): number {
  return ageMs === null ? -Infinity : performance.now() - ageMs;
}

/** Who a destination is towards its store. Each call for a token looks up the newest key, unless a token can be used again. */
export function createIdentity(means: Means, named: Named): DestinationIdentity {
  const { settings, changedMs } = named;
  const seconds = Number(settings['identity_token_ttl'] ?? DEFAULT_TOKEN_SECONDS);
  const audience = settings['identity_token_audience'];
  const subject = tokenSubject(means.destination, named);
  const { address } = issuerOf(means.context.config);
  const issuer = address === '' ? '' : tokenIssuer(address, named.namespace);
  const since = { trust: timeBefore(changedMs), key: -Infinity };
  let given: Promise<Given> | undefined;

  const mint = async (): Promise<Given> => {
    if (typeof audience !== 'string') throw new Error('the destination has no audience');
    if (issuer === '') throw noIssuer();
    const { context, events } = means;
    const actor = `connector-${means.destination.type}`;
    const key = await signingKey({ ...context, events }, { actor, requestId: null });
    since.key = timeBefore(key.ageMs);
    const until = performance.now() + Math.min(LONGEST_USE_MS, (seconds * 1000) / 2);
    const now = Math.floor(Date.now() / 1000);
    const token = await signToken(key, {
      iss: issuer,
      sub: subject,
      aud: audience,
      jti: randomUUID(),
      iat: now - BACKDATED_SECONDS,
      nbf: now - BACKDATED_SECONDS,
      exp: now + seconds,
      sealift_namespace: named.namespace,
      sealift_destination: named.name,
    });
    return { token, until };
  };

  const mintForAll = (): Promise<Given> => {
    const made = mint().catch((error: unknown) => {
      if (error instanceof UnsealError || error instanceof ConnectorError) throw error;
      // A connector would take an error of the database for one of its store.
      means.context.log.error({ error }, 'an identity token could not be made');
      throw new Error('an identity token could not be made');
    });
    given = made;
    made.catch(() => {
      if (given === made) given = undefined;
    });
    return made;
  };

  return {
    issuer,
    subject,
    isDraft: named.isDraft,
    async token({ isAnew = false } = {}) {
      const known = isAnew ? undefined : await given;
      const { token } = known && known.until > performance.now() ? known : await mintForAll();
      return token;
    },
    isSettling: (part) => performance.now() < since[part] + SETTLING_MS[part],
    isNewerThanKey: () => since.trust > since.key,
  };
}

function noIssuer(): ConnectorError {
  return new ConnectorError({
    kind: 'client',
    code: 'configuration_invalid',
    message:
      'The worker does not know the issuer of its identity tokens: the operator must set ISSUER_URL (or PUBLIC_URL) to the same value for all processes.',
    scope: 'destination',
    step: 'token',
  });
}
