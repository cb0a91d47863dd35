import { Type, type Static } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { MOST_MOUNT_SEGMENTS } from '../../../../libs/store/secrets/mounts.ts';
import { parseDuration } from '../../../../libs/validation/duration.ts';
import { RESERVED_SEGMENTS } from '../../routing/reserved-segments.ts';

const LONGEST_PATH = 255;

const anyObject = (description: string) =>
  Type.Optional(Type.Unsafe<Record<string, unknown> | null>({ type: ['object', 'null'], description }));

const unused = Type.Optional(Type.Unknown({ description: 'Accepted, but not used.' }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));
const names = (description: string) => Type.Optional(Type.Array(Type.String(), { description }));

// These say what an audit log or a plugin may see of a request. Here they have no effect: our trail holds no values,
// and there are no plugins.
const visibility = {
  audit_non_hmac_request_keys: names('Stored and returned; it has no effect.'),
  audit_non_hmac_response_keys: names('Stored and returned; it has no effect.'),
  passthrough_request_headers: names('Stored and returned; it has no effect.'),
  allowed_response_headers: names('Stored and returned; it has no effect.'),
};

/** The body that makes a mount. */
export const mountBody = Type.Object({
  type: Type.Optional(Type.String({ description: '`kv`, or `kv-v2` for version 2.' })),
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  config: anyObject('Lease settings. They are stored and returned; they have no effect.'),
  options: anyObject('`version`: 1 or 2. Default 1, as clients expect.'),
  local: flag('Stored and returned; it has no effect, since there is no replication.'),
  seal_wrap: flag('Stored and returned; it has no effect, since every value is encrypted.'),
  external_entropy_access: unused,
  plugin_name: unused,
  plugin_version: unused,
});

/** The body that changes a mount. Absent fields keep their values. */
export const tuneBody = Type.Object({
  description: Type.Optional(Type.String({ maxLength: 1000 })),
  options: anyObject('`version`: 2 changes a version 1 mount to version 2.'),
  default_lease_ttl: Type.Optional(Type.Unknown()),
  max_lease_ttl: Type.Optional(Type.Unknown()),
  force_no_cache: Type.Optional(Type.Unknown()),
  listing_visibility: Type.Optional(
    Type.String({ enum: ['', 'hidden', 'unauth'], description: 'Stored and returned; it has no effect.' }),
  ),
  ...visibility,
  plugin_version: unused,
  token_type: unused,
});

/** The version that `type` and `options` ask for. Throws 400 for what this service does not offer. */
export function mountVersionOf(body: Static<typeof mountBody>): 1 | 2 {
  const type = body.type ?? '';
  if (type === '') throw badRequest('the type of the mount is missing: kv, or kv-v2 for version 2');
  if (!['kv', 'kv-v1', 'kv-v2', 'generic'].includes(type)) {
    throw badRequest(`the secrets engine ${JSON.stringify(type.slice(0, 60))} is not supported: only kv is`);
  }
  const version = optionVersion(body.options);
  if (type === 'kv-v2' && version === 1)
    throw badRequest('a mount of type kv-v2 always has version 2: leave options.version out');
  return type === 'kv-v2' ? 2 : (version ?? 1);
}

/** The version in `options`; undefined if none is named. Throws 400 for a version other than 1 and 2. */
export function optionVersion(options: Record<string, unknown> | null | undefined): 1 | 2 | undefined {
  const version = options?.['version'];
  if (version === undefined || version === null || version === '') return undefined;
  if (version === 1 || version === '1') return 1;
  if (version === 2 || version === '2') return 2;
  throw badRequest('options.version must be 1 or 2');
}

/** Lease settings as they are stored: times in seconds, without empty and null values. Throws 400 for an invalid time. */
export function leaseSettings(config: Record<string, unknown> | null | undefined): Record<string, unknown> {
  const kept = Object.entries(config ?? {}).filter(([, value]) => value !== null && value !== '');
  return Object.fromEntries(
    kept.map(([key, value]) => {
      if (key === 'force_no_cache') return [key, value === true || value === 'true'];
      if (key !== 'default_lease_ttl' && key !== 'max_lease_ttl') return [key, value];
      const isTime = typeof value === 'string' || typeof value === 'number';
      const seconds = isTime ? parseDuration(value) : undefined;
      if (seconds === undefined || seconds < 0)
        throw badRequest(`${key} must be seconds or a duration such as 1h30m`);
      return [key, seconds];
    }),
  );
}

/** Throws 400 for a path that no mount may have. */
export function checkMountPath(path: string): void {
  const segments = path.split('/');
  if (path === '' || path.length > LONGEST_PATH || segments.length > MOST_MOUNT_SEGMENTS) {
    throw badRequest(
      `the path of a mount must have 1 to ${LONGEST_PATH} characters and at most ${MOST_MOUNT_SEGMENTS} segments`,
    );
  }
  // Such a path would mean the settings of the mount above.
  if (segments.length > 1 && segments.at(-1) === 'tune')
    throw badRequest('the path of a mount must not end in /tune');
  if (RESERVED_SEGMENTS.has(segments[0] ?? '')) throw badRequest(`the path ${segments[0]}/ is reserved`);
  // In rules, wildcards in a path would be ambiguous. Nobody sees a space at an end, or any other white space.
  if (segments.some((segment) => /^[. ]|[^\S ]|[*+%?#\\]| $/.test(segment))) {
    throw badRequest(
      'the path of a mount must not contain * + % ? # \\, white space other than spaces within names, or segments that begin with a dot',
    );
  }
}
