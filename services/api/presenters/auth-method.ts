import { hashUuid } from '../../../libs/crypto/fingerprint.ts';
import type { AuthMethodAnswer } from '../contract/mounts.ts';
import type { Namespace } from '../../../libs/store/access/namespaces.ts';

// 768 hours, the lifetime of a token that was requested without one.
const DEFAULT_TTL_SECONDS = 2_764_800;

/** The tuning of tokens, which is fixed. */
export const TOKEN_TUNING = {
  default_lease_ttl: DEFAULT_TTL_SECONDS,
  max_lease_ttl: DEFAULT_TTL_SECONDS,
  force_no_cache: false,
  token_type: 'default-service',
};

/** Tokens, which are the only auth method of a namespace. */
export function presentTokenMethod({ id }: Namespace): AuthMethodAnswer {
  const uuid = hashUuid(`auth/token ${id}`);
  return {
    accessor: `auth_token_${uuid.slice(0, 8)}`,
    type: 'token',
    description: 'token based credentials',
    uuid,
    local: false,
    seal_wrap: false,
    external_entropy_access: false,
    options: null,
    config: TOKEN_TUNING,
    plugin_version: '',
    running_plugin_version: '',
    running_sha256: '',
    deprecation_status: 'supported',
  };
}
