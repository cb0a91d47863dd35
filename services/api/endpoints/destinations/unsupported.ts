import type { Destination } from '../../../../libs/connector/contract.ts';
import { badRequest } from '../../../../libs/errors/request-error.ts';

type Body = Record<string, unknown>;

const IDENTITY = 'identity without stored keys is not supported: give credentials that Sealift can store';
const PLACE = 'is not supported: without it, entries have another location or another key than you asked for';
const ORGANIZATION = 'is not supported: only secrets of a repository or of an environment are';

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
export function refuseUnsupported(type: Destination, known: Body, body: Body): void {
  const faults = Object.keys(UNSUPPORTED)
    .filter((name) => !Object.hasOwn(known, name) && asksForSomething(body[name]))
    .map((name) => `${name} ${join(UNSUPPORTED[name] ?? '')}`);
  if (faults.length === 0) return;
  throw badRequest(...faults, ...halves(type, body));
}

function join(reason: string): string {
  return reason.startsWith('is ') ? reason : `cannot be used: ${reason}`;
}

// If one of two fields that belong together is missing, we say so in the words that clients expect.
function halves({ type }: Destination, body: Body): string[] {
  const has = (name: string): boolean => asksForSomething(body[name]);
  if (type === 'cloud1-sm' && has('identity_token_audience') && !has('role_arn'))
    return ['role_arn is required with identity_token_audience'];
  if (type === 'cloud3-sm' && has('identity_token_audience') !== has('service_account_email')) {
    return [
      'failed to parse credentials: workload identity federation auth requires both identity_token_audience and service_account_email',
    ];
  }
  return [];
}

function asksForSomething(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value) && !['false', '0', '0s', '[]', '{}'].includes(String(value).trim());
}
