import { hashUuid } from '../../../libs/crypto/fingerprint.ts';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';
import type { AuthMount } from '../../../libs/store/auth/mounts.ts';
import type { AuthRole, TokenRules } from '../../../libs/store/auth/roles.ts';
import type { SecretId } from '../../../libs/store/auth/secret-ids.ts';
import type { SecretIdsAnswer } from '../contract/mounts.ts';
import type { AuthMethodAnswer, AuthTuningAnswer, SecretIdAnswer } from '../contract/mounts.ts';
import { DEFAULT_LOG_IN_SECONDS, LONGEST_TOKEN_SECONDS } from '../../../libs/store/auth/lifetime.ts';

/** The tuning of tokens, which is fixed. */
export const TOKEN_TUNING = {
  default_lease_ttl: LONGEST_TOKEN_SECONDS,
  max_lease_ttl: LONGEST_TOKEN_SECONDS,
  force_no_cache: false,
  token_type: 'default-service',
};

// Features that there are not are shown as switched off.
const FIXED = {
  external_entropy_access: false,
  options: null,
  plugin_version: '',
  running_plugin_version: '',
  running_sha256: '',
  deprecation_status: 'supported',
};

/** Tokens, the auth method that every namespace has. */
export function presentTokenMethod({ id }: Namespace): AuthMethodAnswer {
  const uuid = hashUuid(`auth/token ${id}`);
  return {
    accessor: `auth_token_${uuid.slice(0, 8)}`,
    type: 'token',
    description: 'token based credentials',
    uuid,
    config: TOKEN_TUNING,
    local: false,
    seal_wrap: false,
    ...FIXED,
  };
}

/** An auth method that somebody enabled. */
export function presentAuthMount({ tuning, ...mount }: AuthMount): AuthMethodAnswer {
  const { accessor, type, description, uuid, local, seal_wrap } = mount;
  const config = {
    default_lease_ttl: 0,
    max_lease_ttl: 0,
    force_no_cache: false,
    token_type: 'default-service',
    ...shownTuning(tuning),
  };
  return { accessor, type, description, uuid, config, local, seal_wrap, ...FIXED };
}

/** What tuning can change of it. Times that nobody set are shown as the default. */
export function presentAuthTuning({ tuning, description }: AuthMount): AuthTuningAnswer {
  return {
    force_no_cache: false,
    token_type: 'default-service',
    ...shownTuning(tuning),
    default_lease_ttl: tuning.default_lease_ttl || DEFAULT_LOG_IN_SECONDS,
    max_lease_ttl: tuning.max_lease_ttl || LONGEST_TOKEN_SECONDS,
    description,
  };
}

/** Auth methods by their paths with a slash at the end. */
export function presentAuthMounts(mounts: AuthMount[]): Record<string, AuthMethodAnswer> {
  return Object.fromEntries(mounts.map((mount) => [`${mount.path}/`, presentAuthMount(mount)]));
}

/** A role with what clients know of the roles of other services: its tokens have no period and no number of uses. */
export function presentRole<Rules extends object>({ settings }: Pick<AuthRole<Rules>, 'settings'>) {
  const fixed = { token_period: 0, token_num_uses: 0, token_type: 'default' };
  return { ...settings, ...fixed, alias_metadata: settings.alias_metadata ?? {} } satisfies TokenRules;
}

/** A secret id; its secret is not stored. */
export function presentSecretId(found: SecretId): SecretIdAnswer {
  const created = found.created_at.toISOString();
  return {
    secret_id_accessor: found.accessor,
    metadata: found.metadata,
    cidr_list: found.cidrs,
    token_bound_cidrs: found.token_cidrs,
    secret_id_num_uses: found.uses_left ?? 0,
    secret_id_ttl: found.ttl_seconds,
    creation_time: created,
    expiration_time: found.expires_at?.toISOString() ?? '0001-01-01T00:00:00Z',
    last_updated_time: created,
  };
}

/** Secret ids by their accessors: how long each lives, and nothing that describes who has it. */
export function presentSecretIds(found: SecretId[]): SecretIdsAnswer {
  const listed = found.map((one) => {
    const { creation_time, expiration_time, secret_id_num_uses } = presentSecretId(one);
    return [one.accessor, { creation_time, expiration_time, secret_id_num_uses }] as const;
  });
  return { keys: listed.map(([accessor]) => accessor), key_info: Object.fromEntries(listed) };
}

// Clients remove a list by setting an empty one, so we do not show empty lists.
function shownTuning(tuning: AuthMount['tuning']): AuthMount['tuning'] {
  return Object.fromEntries(
    Object.entries(tuning).filter(([, value]) => !(Array.isArray(value) && value.length === 0)),
  );
}
