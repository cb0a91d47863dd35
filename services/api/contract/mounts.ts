/** Answers about mounts, auth methods and namespaces. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { byName, closed, nullable, texts } from './schema.ts';

const text = Type.String();
const seconds = Type.Integer({ description: 'Seconds.' });

// What every mount and auth method has; the features that Sealift does not have are shown as switched off.
const mounted = {
  accessor: text,
  type: text,
  description: text,
  uuid: text,
  local: Type.Boolean(),
  seal_wrap: Type.Boolean(),
  external_entropy_access: Type.Boolean(),
  plugin_version: text,
  running_plugin_version: text,
  running_sha256: text,
  deprecation_status: text,
};

// What nobody has tuned is absent; keys without a meaning are returned as they were sent.
const tunable = {
  default_lease_ttl: seconds,
  max_lease_ttl: seconds,
  force_no_cache: Type.Boolean(),
  audit_non_hmac_request_keys: Type.Optional(texts),
  audit_non_hmac_response_keys: Type.Optional(texts),
  listing_visibility: Type.Optional(text),
  passthrough_request_headers: Type.Optional(texts),
  allowed_response_headers: Type.Optional(texts),
  allowed_managed_keys: Type.Optional(texts),
};

const options = nullable(byName(text), 'The version, if somebody named one.');

const mount = { ...mounted, options, config: Type.Object(tunable) };

export const mountAnswer = closed(mount);

export type MountAnswer = Static<typeof mountAnswer>;

/** Mounts by their paths, with a slash at the end. */
export const mountsAnswer = byName(mountAnswer);

export const mountUsageAnswer = closed({
  secrets: Type.Integer(),
  links: Type.Integer({ description: 'Links of its secrets to destinations.' }),
  is_complete: Type.Boolean({ description: 'False: there are more than were counted.' }),
  destinations: Type.Array(closed({ type: text, name: text, links: Type.Integer() }), {
    description: 'Those that the caller may read.',
  }),
});

/** What a mount holds. */
export type MountUsageAnswer = Static<typeof mountUsageAnswer>;

/** What tuning can change of a mount. */
export const tuningAnswer = Type.Object({ ...tunable, description: text, options });

export type TuningAnswer = Static<typeof tuningAnswer>;

const methodTuning = {
  default_lease_ttl: seconds,
  max_lease_ttl: seconds,
  force_no_cache: Type.Boolean(),
  token_type: text,
};

const method = { ...mounted, options: Type.Null(), config: closed(methodTuning) };

export const authMethodAnswer = closed(method);

export type AuthMethodAnswer = Static<typeof authMethodAnswer>;

/** Auth methods by their paths, with a slash at the end. */
export const authMethodsAnswer = byName(authMethodAnswer);

export const authTuningAnswer = closed({ ...methodTuning, description: text });

/** What the caller may enter. */
export const visibleMountsAnswer = closed({ secret: mountsAnswer, auth: authMethodsAnswer });

export type VisibleMountsAnswer = Static<typeof visibleMountsAnswer>;

/** The mount, or the auth method, of a path. */
export const mountOfPathAnswer = Type.Union([
  closed({ ...mount, path: text }),
  closed({ ...method, path: text }),
]);

export const moveAnswer = closed({ migration_id: text });

export const moveStatusAnswer = closed({
  migration_id: text,
  migration_info: closed({ source_mount: text, target_mount: text, status: Type.Literal('success') }),
});

export const namespaceAnswer = closed({
  id: text,
  path: Type.String({ description: 'Absolute, with a slash at the end.' }),
  custom_metadata: byName(text),
});

export type NamespaceAnswer = Static<typeof namespaceAnswer>;

export const namespacesAnswer = closed({ keys: texts, key_info: byName(namespaceAnswer) });
