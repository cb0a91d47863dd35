import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import {
  AUTH_TYPES,
  MOST_AUTH_SEGMENTS,
  type AuthTuning,
  type AuthType,
} from '../../../../libs/store/auth/mounts.ts';
import { LONGEST_TOKEN_SECONDS } from '../../../../libs/store/auth/lifetime.ts';
import { leaseSettings } from '../mounts/body.ts';
import { duration, names, refuseOtherTypes } from '../tokens/schemas.ts';

const LONGEST_PATH = 255;

// What our own endpoints and the log-in stand for in a path.
const RESERVED = new Set(['token', 'session', 'role', 'login', 'config', 'tune', 'tidy']);

const unused = Type.Optional(Type.Unknown({ description: 'Accepted, but not used.' }));
const flag = (text: string) => Type.Optional(Type.Boolean({ description: text }));
const lists = names('Stored and returned; it has no effect.');
const description = Type.Optional(Type.String({ maxLength: 1000 }));

const tunable = {
  default_lease_ttl: duration('Lifetime of tokens whose role names none. Default: an hour.'),
  max_lease_ttl: duration('Longest life of a token with all renewals. Default, and most: 768 hours.'),
  force_no_cache: flag('Stored and returned; it has no effect.'),
  listing_visibility: Type.Optional(
    Type.String({ enum: ['', 'hidden', 'unauth'], description: 'Stored and returned; it has no effect.' }),
  ),
  token_type: Type.Optional(Type.String({ description: '`service` or `default-service`.' })),
  audit_non_hmac_request_keys: lists,
  audit_non_hmac_response_keys: lists,
  passthrough_request_headers: lists,
  allowed_response_headers: lists,
};

/** The body that enables an auth method. */
export const methodBody = Type.Object({
  type: Type.Optional(Type.String({ description: `${AUTH_TYPES.join(', ')}. Default: the path.` })),
  description,
  config: Type.Optional(Type.Object(tunable)),
  options: unused,
  local: flag('Stored and returned; it has no effect, since there is no replication.'),
  seal_wrap: flag('Stored and returned; it has no effect, since every secret is encrypted.'),
  external_entropy_access: unused,
  plugin_name: unused,
  plugin_version: unused,
});

/** The body that tunes one. Absent fields keep their values. */
export const methodTuneBody = Type.Object({
  description,
  ...tunable,
  options: unused,
  plugin_version: unused,
  user_lockout_config: unused,
  type: Type.Optional(Type.Unknown({ description: 'Refused: an auth method keeps its type.' })),
});

/** Throws 400 for a type that is not offered. */
export function authTypeOf(type: string): AuthType {
  const found = AUTH_TYPES.find((offered) => offered === type);
  if (found) return found;
  throw badRequest(
    `the auth method ${JSON.stringify(type.slice(0, 60))} is not supported: ${AUTH_TYPES.join(', ')} can be enabled`,
  );
}

/** Throws 400 for a path that no auth method may have. */
export function checkAuthPath(path: string): void {
  const segments = path.split('/');
  if (path.length > LONGEST_PATH || segments.length > MOST_AUTH_SEGMENTS)
    throw badRequest(
      `the path of an auth method has at most ${LONGEST_PATH} characters and ${MOST_AUTH_SEGMENTS} segments`,
    );
  const reserved = segments.find((segment) => RESERVED.has(segment));
  if (path === 'token') throw badRequest('path is already in use at token/');
  if (reserved !== undefined)
    throw badRequest(`the path of an auth method cannot have the segment ${reserved}: choose another one`);
  if (!/^[\w.-]+(?:\/[\w.-]+)*$/.test(path))
    throw badRequest('the path of an auth method has letters, digits, _ . - and slashes between them');
  if (segments.some((segment) => segment.startsWith('.') || segment.endsWith('.')))
    throw badRequest('no segment of the path of an auth method begins or ends with a dot');
  // The display names of its tokens would look like those of people, or of wrapped answers.
  const [, taken] = /^(saml|response)(?:$|[-/])/.exec(path) ?? [];
  if (taken)
    throw badRequest(`the path of an auth method cannot begin with ${taken}: other tokens have such names`);
}

/** The given tuning as it is stored. Throws 400. */
export function tuningOf(given: Record<string, unknown>): AuthTuning {
  const known = Object.entries(given).filter(
    ([name, value]) => Object.hasOwn(tunable, name) && value != null,
  );
  const tuning = leaseSettings(Object.fromEntries(known)) as AuthTuning;
  const { token_type: type } = tuning;
  refuseOtherTypes(typeof type === 'string' ? type : undefined);
  const { default_lease_ttl: usual = 0, max_lease_ttl: longest = 0 } = tuning;
  for (const [name, seconds] of Object.entries({ default_lease_ttl: usual, max_lease_ttl: longest })) {
    if (seconds > LONGEST_TOKEN_SECONDS)
      throw badRequest(`${name} is at most ${LONGEST_TOKEN_SECONDS / 3600}h`);
  }
  if (longest > 0 && usual > longest)
    throw badRequest('default_lease_ttl cannot be greater than max_lease_ttl');
  return tuning;
}
