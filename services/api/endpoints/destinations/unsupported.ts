import { badRequest } from '../../../../libs/errors/request-error.ts';

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

/** Throws 400 that names each such field with a value that asks for something; `known` are the fields of the type. */
export function refuseUnsupported(known: Body, body: Body): void {
  const faults = Object.keys(UNSUPPORTED)
    .filter((name) => !Object.hasOwn(known, name) && asksForSomething(body[name]))
    .map((name) => `${name} ${join(UNSUPPORTED[name] ?? '')}`);
  if (faults.length === 0) return;
  throw badRequest(...faults);
}

function join(reason: string): string {
  return reason.startsWith('is ') ? reason : `cannot be used: ${reason}`;
}

function asksForSomething(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) && !['false', '0', '0s', '[]', '{}'].includes(String(value).trim());
}
