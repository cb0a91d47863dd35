import { Type } from 'typebox';
import type { Destination, OperatorSettings } from '../contract.ts';
import type { DestinationIdentity, IdentityMode, IdentityRules } from './destination-identity.ts';
import type { CheckStep, ConnectorError } from '../errors.ts';
import type { Failures } from '../http/failures.ts';

type Settings = Record<string, unknown>;
type IdentifiedType = Pick<Destination, 'identity'>;

/** Seconds for which a token is valid if `identity_token_ttl` is not given. */
export const DEFAULT_TOKEN_SECONDS = 3600;

/** The longest time for which a token that we sign is valid, in seconds. */
export const LONGEST_SIGNED_SECONDS = 24 * 60 * 60;

// AWS takes neither a longer issuer nor a longer subject.
const MOST_CHARACTERS = 255;

/** Settings of types that sign in with tokens that we sign. */
export const identitySettings = {
  identity_token_audience: Type.Optional(
    Type.String({
      maxLength: MOST_CHARACTERS,
      pattern: '^[!-~]+$',
      errorMessage: `must have 1 to ${MOST_CHARACTERS} printable characters without spaces, such as sts.amazonaws.com`,
      sensitive: true,
      visible: true,
      title: 'Audience of identity tokens',
      description:
        'Signs in with short-lived tokens for this audience instead of stored credentials. The store must trust the issuer of this namespace.',
    }),
  ),
  identity_token_ttl: Type.Optional(
    Type.Integer({
      duration: true,
      rare: true,
      minimum: 10,
      maximum: LONGEST_SIGNED_SECONDS,
      errorMessage: 'must be a duration from 10s to 24h, in seconds or such as 30m',
      title: 'Lifetime of identity tokens',
      description: `Seconds, or a duration such as \`30m\`. Default: ${DEFAULT_TOKEN_SECONDS}.`,
    }),
  ),
  identity_token_key: Type.Optional(
    Type.String({
      pattern: '^default$',
      errorMessage: 'must be the name of the one key that signs all identity tokens, such as default',
      sensitive: true,
      visible: true,
      // There is nothing to choose.
      older: true,
      title: 'Key of identity tokens',
      description: 'Only `default`: one key, which rotates, signs all identity tokens.',
    }),
  ),
};

// A call that replaces a destination keeps these, because clients do not send them again.
const KEPT = ['identity_token_audience', 'identity_token_key'];

/** The mode of a destination with these settings. */
export function identityModeOf(
  { identity, app }: Pick<Destination, 'identity' | 'app'>,
  settings: Settings,
): IdentityMode {
  if (app?.nameOf(settings) !== undefined) return 'app';
  if (!identity || settings[identity.credential] !== undefined) return 'static';
  return settings['identity_token_audience'] === undefined ? 'ambient' : 'federated';
}

/** What a connection test of a destination with these settings tries, in order. */
export function stepsOfCheck(type: Pick<Destination, 'identity' | 'app'>, settings: Settings): CheckStep[] {
  const mode = identityModeOf(type, settings);
  const takesOn = mode === 'app' || settings[type.identity?.takesOn ?? ''] !== undefined;
  return [
    ...(mode === 'federated' ? (['token', 'exchange'] as const) : (['credentials'] as const)),
    ...(takesOn ? (['role'] as const) : []),
    'permission',
  ];
}

/** `iss` of the identity tokens of a namespace. `address`: the one under which stores reach the API. */
export function tokenIssuer(address: string, namespace: string): string {
  return `${address}/v1/${namespace === '' ? '' : `${namespace}/`}identity/oidc/secrets-sync`;
}

/** `sub` of the identity tokens of a destination; empty for a type without them. */
export function tokenSubject(
  { identity }: IdentifiedType,
  { namespace, name }: { namespace: string; name: string },
): string {
  return identity ? `secrets-sync:${namespace || 'root'}:${identity.subjectType}:${name}` : '';
}

/** Rules for the identity of a destination that hold for every type; one sentence for each fault. */
export function identityFaults(
  type: IdentifiedType,
  settings: Settings,
  { operator, issuer, subject }: { operator: OperatorSettings; issuer: string; subject: string },
): string[] {
  const { identity } = type;
  if (!identity) return [];
  const isFederated = settings['identity_token_audience'] !== undefined;
  if (isFederated && settings[identity.credential] !== undefined)
    return [`identity_token_audience and ${identity.credential} exclude each other: give one of them`];
  if (isFederated) return lengthFaults(identity, issuer, subject);
  const fault = ambientFault(type, settings, operator);
  return fault === null ? [] : [fault];
}

function lengthFaults(
  { subjectBytes = MOST_CHARACTERS }: IdentityRules,
  issuer: string,
  subject: string,
): string[] {
  return [
    ...(issuer.length > MOST_CHARACTERS
      ? [
          `the issuer ${issuer} has more than ${MOST_CHARACTERS} characters: use a namespace with a shorter path`,
        ]
      : []),
    ...(subject.length > subjectBytes
      ? [
          `the subject ${subject} has more than ${subjectBytes} characters, and the store takes no more: choose a shorter name, or a namespace with a shorter path`,
        ]
      : []),
  ];
}

/** Why the settings may not rely on the worker's own identity; null if they need not, or if they may. */
export function ambientFault(
  type: IdentifiedType,
  settings: Settings,
  { forbidsAmbient }: Pick<OperatorSettings, 'forbidsAmbient'>,
): string | null {
  if (!type.identity || !forbidsAmbient || identityModeOf(type, settings) !== 'ambient') return null;
  return `${type.identity.credential} or identity_token_audience is required: the operator does not allow this namespace to use the worker's own identity (AMBIENT_CREDENTIALS)`;
}

/**
 * The fields that a change of a destination starts from, with the stored identity: it ends only if the call empties it, or
 * if it brings stored credentials instead. `isGiven` tells whether a field of the call has a value of its own.
 */
export function withKeptIdentity(
  { identity }: IdentifiedType,
  { base, present }: { base: Settings; present: Settings },
  isGiven: (name: string) => boolean,
): Settings {
  if (!identity) return base;
  if (isGiven(identity.credential) && !isGiven('identity_token_audience'))
    return Object.fromEntries(Object.entries(base).filter(([name]) => !KEPT.includes(name)));
  const kept = KEPT.filter((name) => Object.hasOwn(present, name)).map((name) => [name, present[name]]);
  return { ...Object.fromEntries(kept), ...base };
}

type Fresh = 'trust' | 'key';

type Wait = {
  /** What may be missing at the store. */
  lacks: string;
  /** Until when the engine tries again. */
  until: string;
};

const WAITS: Record<Fresh | 'newer', Wait> = {
  trust: {
    lacks: 'A new trust takes some minutes.',
    until: '15 minutes after the last change of the destination',
  },
  key: { lacks: 'The store may not have our newest key yet.', until: 'an hour after the rotation' },
  newer: {
    lacks: 'Compare them first: the destination is newer than the signing key.',
    until: 'an hour after the rotation of that key',
  },
};

/**
 * A store does not trust the destination. While the trust may be too new for the store to know it, the engine tries again.
 * `mayLack`: what the store may not know yet. `step`: where it refused; default `exchange`. `hasToken`: the store saw an
 * identity token, whose names the message then says.
 */
export function trustFailure(
  failures: Pick<Failures, 'fail'>,
  identity: Omit<DestinationIdentity, 'token'>,
  refusal: { message: string; mayLack?: readonly Fresh[]; step?: CheckStep | undefined; hasToken?: boolean },
): ConnectorError {
  const { mayLack = ['trust'], hasToken = true } = refusal;
  const names = ` The token has the issuer ${identity.issuer} and the subject ${identity.subject}; \`sealift destination identity\` also shows its audience.`;
  const message = `${refusal.message}${hasToken ? names : ''}`;
  const lacking = mayLack.find((part) => identity.isSettling(part));
  const waitsFor = lacking === 'key' && identity.isNewerThanKey() ? 'newer' : lacking;
  const failure =
    waitsFor === undefined
      ? failures.fail('trust_refused', { message })
      : failures.fail('trust_unsettled', { message: `${message} ${describeWait(waitsFor, identity)}` });
  if (refusal.step) failure.step = refusal.step;
  return failure;
}

function describeWait(
  waitsFor: keyof typeof WAITS,
  { isDraft }: Pick<DestinationIdentity, 'isDraft'>,
): string {
  const { lacks, until } = WAITS[waitsFor];
  return `${lacks} ${isDraft ? 'Test again later.' : `It is tried again by itself until ${until}.`}`;
}
