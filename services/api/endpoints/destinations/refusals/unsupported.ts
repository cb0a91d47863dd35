import type { Destination } from '../../../../../libs/connector/contract.ts';
import { isSensitive, settingsOf } from '../../../../../libs/connector/settings.ts';
import { badRequest } from '../../../../../libs/errors/request-error.ts';
import { isOneSlip } from '../../../../../libs/validation/one-slip.ts';

type Body = Record<string, unknown>;

const IDENTITY = 'identity without stored keys is not supported: give credentials that Sealift can store';
const PLACE = 'is not supported: without it, entries have another location or another key than you asked for';
const ORGANIZATION = 'is not supported: only GitHub has organizations';

/**
 * Fields of destinations of similar services that decide who may read a value, which identity a worker has, or where a
 * value is stored. A caller who sends one relies on it, so we refuse it, unlike other unknown fields. A type that has
 * the field accepts it.
 */
export const UNSUPPORTED: Record<string, string> = {
  role_arn: IDENTITY,
  external_id: IDENTITY,
  identity_token_audience: IDENTITY,
  identity_token_key: IDENTITY,
  identity_token_ttl: IDENTITY,
  service_account_email: IDENTITY,
  app_name: IDENTITY,
  installation_id: IDENTITY,
  app_config: 'is not a setting: send app_name and installation_id',
  kms_key_id: PLACE,
  replica_regions: PLACE,
  replication_locations: PLACE,
  global_kms_key: PLACE,
  locational_kms_keys: PLACE,
  organization_name: ORGANIZATION,
  organization_visibility: ORGANIZATION,
  selected_repository_names: ORGANIZATION,
};

// Not secret and of one type only, but they decide how it signs in.
const OF_SIGN_IN = new Set(['client_id', 'tenant_id', 'direct_access', 'workload_identity_provider']);

/**
 * Throws 400 that names each such field with a value that asks for something, and each that is probably a misspelled one
 * of the type: ignored, it would leave a destination that signs in otherwise than its caller meant. `known` are the fields
 * of the type.
 */
export function refuseUnsupported(type: Destination, known: Body, body: Body): void {
  const unknown = Object.keys(body).filter(
    (name) => !Object.hasOwn(known, name) && asksForSomething(body[name]),
  );
  const faults = unknown.flatMap((name) => {
    const reason = Object.hasOwn(UNSUPPORTED, name) ? UNSUPPORTED[name] : undefined;
    if (reason !== undefined) return [`${name} ${join(type, reason)}`];
    const meant = meantBy(type, name, body);
    return meant === undefined ? [] : [`${name} is not a field of ${type.type}: did you mean ${meant}?`];
  });
  if (faults.length === 0) return;
  throw badRequest(...faults);
}

function meantBy(type: Destination, given: string, body: Body): string | undefined {
  return Object.keys(settingsOf(type)).find((name) => {
    const isWeighty = isSensitive(type, name) || Object.hasOwn(UNSUPPORTED, name) || OF_SIGN_IN.has(name);
    return isWeighty && !Object.hasOwn(body, name) && isOneSlip(given, name);
  });
}

function join(type: Destination, reason: string): string {
  if (reason.startsWith('is ')) return reason;
  // Such a type signs in without stored keys too, but by other fields.
  if (reason === IDENTITY && (type.identity ?? type.app))
    return `is not a field of ${type.type}: ${signInOf(type)}`;
  return `cannot be used: ${reason}`;
}

function signInOf({ identity }: Destination): string {
  return identity
    ? 'it signs in without stored keys by identity_token_audience; docs/identity.md has the other fields'
    : 'it signs in without an access token by app_name and installation_id';
}

function asksForSomething(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) && !['false', '0', '0s', '[]', '{}'].includes(String(value).trim());
}
