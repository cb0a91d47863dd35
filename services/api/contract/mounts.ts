/** Answers about mounts, auth methods and namespaces. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { byName, closed, nullable, texts, time } from './schema.ts';

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
  dropped: Type.Optional(
    closed({ secrets: Type.Integer(), versions: Type.Integer() }, 'What `max_versions` would cost.'),
  ),
});

/** What a mount holds. */
export type MountUsageAnswer = Static<typeof mountUsageAnswer>;

/** What tuning can change of a mount. */
export const tuningAnswer = Type.Object({ ...tunable, description: text, options });

export type TuningAnswer = Static<typeof tuningAnswer>;

const methodTuning = { ...tunable, token_type: text };

const method = { ...mounted, options: Type.Null(), config: Type.Object(methodTuning) };

export const authMethodAnswer = closed(method);

export type AuthMethodAnswer = Static<typeof authMethodAnswer>;

/** Auth methods by their paths, with a slash at the end. */
export const authMethodsAnswer = byName(authMethodAnswer);

export const authTuningAnswer = Type.Object({ ...methodTuning, description: text });

export type AuthTuningAnswer = Static<typeof authTuningAnswer>;

// What the tokens of a role are like, and what clients ask for that no role has.
const tokenRules = {
  token_policies: texts,
  token_ttl: seconds,
  token_max_ttl: seconds,
  token_explicit_max_ttl: seconds,
  token_no_default_policy: Type.Boolean(),
  token_bound_cidrs: texts,
  alias_metadata: byName(text),
  token_period: seconds,
  token_num_uses: Type.Integer(),
  token_type: text,
};

export const appRoleAnswer = closed({
  bind_secret_id: Type.Boolean(),
  local_secret_ids: Type.Boolean(),
  secret_id_bound_cidrs: texts,
  secret_id_num_uses: Type.Integer({ description: '0: any number.' }),
  secret_id_ttl: seconds,
  ...tokenRules,
});

const scalarOrList = byName(Type.Union([text, Type.Boolean(), Type.Number(), Type.Array(Type.Unknown())]));

export const jwtRoleAnswer = closed({
  role_type: text,
  user_claim: text,
  user_claim_json_pointer: Type.Boolean(),
  bound_audiences: texts,
  bound_subject: text,
  bound_claims: nullable(scalarOrList),
  bound_claims_type: text,
  claim_mappings: nullable(byName(text)),
  clock_skew_leeway: seconds,
  expiration_leeway: seconds,
  not_before_leeway: seconds,
  groups_claim: Type.String({ description: 'Empty: there are no groups.' }),
  verbose_oidc_logging: Type.Boolean({ description: 'False: there are no browser log-ins.' }),
  ...tokenRules,
});

export const jwtConfigAnswer = closed({
  oidc_discovery_url: text,
  oidc_discovery_ca_pem: text,
  jwks_url: text,
  jwks_ca_pem: text,
  jwt_validation_pubkeys: texts,
  jwt_supported_algs: texts,
  bound_issuer: text,
  default_role: text,
  namespace_in_state: Type.Boolean(),
  keys: Type.Integer({ description: 'How many keys verify tokens.' }),
  keys_fetched_at: nullable(time),
  keys_fault: nullable(text, 'Why the last try to fetch the keys failed.'),
});

export type JwtConfigAnswer = Static<typeof jwtConfigAnswer>;

export const kubernetesConfigAnswer = closed({
  kubernetes_host: text,
  kubernetes_ca_cert: text,
  pem_keys: texts,
  issuer: text,
  disable_iss_validation: Type.Boolean(),
  disable_local_ca_jwt: Type.Boolean(),
  use_annotations_as_alias_metadata: Type.Boolean(),
  validation: Type.Enum(['local', 'review']),
  token_reviewer_jwt_set: Type.Boolean({
    description: 'Whether there is a token_reviewer_jwt, which is never shown.',
  }),
});

export type KubernetesConfigAnswer = Static<typeof kubernetesConfigAnswer>;

export const kubernetesRoleAnswer = closed({
  bound_service_account_names: texts,
  bound_service_account_namespaces: texts,
  bound_service_account_namespace_selector: text,
  audience: text,
  alias_name_source: text,
  ...tokenRules,
});

export const roleIdAnswer = closed({ role_id: text });

/** A secret id that was made. Only this answer shows the secret. */
export const newSecretIdAnswer = closed({
  secret_id: text,
  secret_id_accessor: text,
  secret_id_ttl: seconds,
  secret_id_num_uses: Type.Integer({ description: '0: any number.' }),
});

export const secretIdAnswer = closed({
  secret_id_accessor: text,
  metadata: byName(text),
  cidr_list: texts,
  token_bound_cidrs: texts,
  secret_id_num_uses: Type.Integer({ description: 'The uses that are left. 0: any number.' }),
  secret_id_ttl: seconds,
  creation_time: time,
  expiration_time: Type.String({ description: '`0001-01-01T00:00:00Z`: it does not expire.' }),
  last_updated_time: time,
});

export type SecretIdAnswer = Static<typeof secretIdAnswer>;

export const authUsageAnswer = closed({
  roles: Type.Integer(),
  secret_ids: Type.Integer(),
  tokens: Type.Integer({ description: 'Tokens that its log-ins gave, and that are still valid.' }),
  is_complete: Type.Boolean({ description: 'False: there are more than were counted.' }),
});

/** What hangs on an auth method. */
export type AuthUsageAnswer = Static<typeof authUsageAnswer>;

const listedSecretIdAnswer = closed({
  creation_time: time,
  expiration_time: Type.String({ description: '`0001-01-01T00:00:00Z`: it does not expire.' }),
  secret_id_num_uses: Type.Integer({ description: 'The uses that are left. 0: any number.' }),
});

export const secretIdsAnswer = closed({ keys: texts, key_info: byName(listedSecretIdAnswer) });

/** The secret ids of a role, by their accessors. */
export type SecretIdsAnswer = Static<typeof secretIdsAnswer>;

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
  contents: Type.Optional(
    closed(
      {
        mounts: Type.Integer(),
        secrets: Type.Integer(),
        destinations: Type.Integer(),
        tokens: Type.Integer(),
        last_changed: nullable(time, 'Of its secrets, policies and destinations.'),
      },
      'Only with `details`.',
    ),
  ),
  hindrances: Type.Optional(byName(Type.Integer())),
});

export type NamespaceAnswer = Static<typeof namespaceAnswer>;
export const namespacesAnswer = closed({ keys: texts, key_info: byName(namespaceAnswer) });
