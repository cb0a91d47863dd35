import type { Example } from '../../example.ts';
import { AT, ends, gives } from '../build.ts';

/** What the tokens of the roles in the examples are like. */
export const tokenRules = {
  token_policies: ['app-reader'],
  token_ttl: 900,
  token_max_ttl: 3600,
  token_explicit_max_ttl: 0,
  token_no_default_policy: false,
  token_bound_cidrs: [],
  alias_metadata: {},
  token_period: 0,
  token_num_uses: 0,
  token_type: 'default',
};

const PUBLIC_KEY =
  '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----';
const web = { params: { name: 'web' } };

const config = {
  oidc_discovery_url: '',
  oidc_discovery_ca_pem: '',
  jwks_url: '',
  jwks_ca_pem: '',
  jwt_validation_pubkeys: [PUBLIC_KEY],
  jwt_supported_algs: [],
  bound_issuer: 'https://ci.example.com',
  default_role: '',
  namespace_in_state: true,
  keys: 1,
  keys_fetched_at: AT,
  keys_fault: null,
};
const jwtRole = {
  role_type: 'jwt',
  user_claim: 'repository',
  user_claim_json_pointer: false,
  bound_audiences: ['sealift'],
  bound_subject: '',
  bound_claims: { repository_id: '42', ref: 'refs/heads/main' },
  bound_claims_type: 'string',
  claim_mappings: { actor: 'actor' },
  clock_skew_leeway: 0,
  expiration_leeway: 0,
  not_before_leeway: 0,
  groups_claim: '',
  verbose_oidc_logging: false,
  ...tokenRules,
};

/** JWT at its usual path. */
export const jwtExamples: Example[] = [
  ends('POST /sys/auth/*path', 'JWT', { params: { path: 'jwt' }, body: { type: 'jwt' } }),
  ends('POST /~jwt/config', 'An issuer whose public key you have', {
    body: { jwt_validation_pubkeys: [PUBLIC_KEY], bound_issuer: 'https://ci.example.com' },
  }),
  gives('GET /~jwt/config', 'Read it', config),
  ends('POST /~jwt/role/:name', 'A role for the jobs of a branch', {
    ...web,
    body: {
      user_claim: 'repository',
      bound_audiences: ['sealift'],
      bound_claims: { repository_id: '42', ref: 'refs/heads/main' },
      claim_mappings: { actor: 'actor' },
      token_policies: ['app-reader'],
      token_ttl: '15m',
      token_max_ttl: '1h',
    },
  }),
  gives('GET /~jwt/role/:name', 'Read it', jwtRole, web),
  gives('LIST /~jwt/role', 'List them', { keys: ['web'] }),
  ends('DELETE /~jwt/role/:name', 'Delete it', web),
  ends('DELETE /sys/auth/*path', 'Disable JWT', { params: { path: 'jwt' } }),
];
