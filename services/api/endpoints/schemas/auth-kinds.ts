import type { TSchema } from 'typebox';
import { TOKEN_ALGORITHMS } from '../../../../libs/crypto/verify-token.ts';
import type { AuthKindAnswer, FieldAnswer } from '../../contract/forms.ts';
import { presentFields } from '../../presenters/schemas.ts';
import { appRoleBody } from '../auth-methods/approle/role.ts';
import { newSecretIdBody } from '../auth-methods/approle/secret-ids.ts';
import { methodTuneBody } from '../auth-methods/body.ts';
import { jwtConfigBody } from '../auth-methods/jwt/config.ts';
import { jwtRoleBody } from '../auth-methods/jwt/role.ts';
import { kubernetesConfigBody } from '../auth-methods/kubernetes/config.ts';
import { kubernetesRoleBody } from '../auth-methods/kubernetes/role.ts';

const TOKEN_RULES = [
  'token_ttl',
  'token_max_ttl',
  'token_explicit_max_ttl',
  'token_no_default_policy',
  'token_bound_cidrs',
];

const OF_METHOD = 'The default of the auth method';

// A URL or a name is one line, however long it may be.
const LINE = { maxLength: 2000 };

const OWN_CA = 'Needed where its certificate is not from a public authority.';

const BY_KEYS = { validation: 'local' };
const BY_ASKING = { validation: 'review' };

// What the schemas of requests do not say, because clients send it in many ways.
const MORE: Record<string, Partial<FieldAnswer>> = {
  bind_secret_id: { title: 'Needs a secret ID', default: true, rare: true },
  role_id: { rare: true },
  secret_id_bound_cidrs: { title: 'Secret ID bound to addresses', rare: true, unset: 'Any address' },
  secret_id_num_uses: { title: 'Uses of a secret ID', default: 0, rare: true, unset: 'Unlimited' },
  secret_id_ttl: { rare: true, unset: 'Never expires' },
  token_policies: { unset: 'Only default' },
  token_ttl: { rare: true, unset: OF_METHOD },
  token_max_ttl: { rare: true, unset: OF_METHOD },
  token_explicit_max_ttl: { rare: true, unset: 'No limit of its own' },
  token_bound_cidrs: { title: 'Tokens bound to addresses', rare: true, unset: 'Any address' },
  token_no_default_policy: { title: 'Leave out the policy “default”', default: false, rare: true },
  cidr_list: { title: 'Bound to addresses', rare: true },
  num_uses: { title: 'Uses' },
  bound_audiences: {
    description: 'A token must be issued for one of these audiences. Needed if the tokens name an audience.',
  },
  bound_subject: { unset: 'Any subject' },
  bound_claims: { unset: 'None', several: true },
  claim_mappings: { rare: true, unset: 'None' },
  clock_skew_leeway: { rare: true },
  user_claim: { is_required: true },
  user_claim_json_pointer: { title: 'User claim is a JSON pointer', default: false, rare: true },
  bound_claims_type: {
    rare: true,
    enum: ['string', 'glob'],
    words: { string: 'Exact', glob: 'With * for any text' },
    default: 'string',
  },
  jwt_validation_pubkeys: {
    title: 'Public keys (PEM)',
    description: 'One or more, or certificates, one below the other.',
    type: 'string',
    maxLength: 65_536,
  },
  jwt_supported_algs: {
    title: 'Accepted signature algorithms',
    description: `If none is chosen, these are accepted: ${TOKEN_ALGORITHMS.join(', ')}.`,
    suggestions: TOKEN_ALGORITHMS,
    rare: true,
  },
  jwks_url: {
    title: 'Key set URL (JWKS)',
    description: 'Such as https://gitlab.example/oauth/discovery/keys.',
    ...LINE,
  },
  jwks_ca_pem: { title: 'CA certificates for the key set (PEM)', description: OWN_CA, rare: true },
  oidc_discovery_url: {
    title: 'Issuer URL (OIDC discovery)',
    description: 'Such as https://token.actions.githubusercontent.com for GitHub Actions.',
    ...LINE,
  },
  oidc_discovery_ca_pem: { title: 'CA certificates for the issuer (PEM)', description: OWN_CA, rare: true },
  bound_issuer: {
    title: 'Issuer in the tokens (iss)',
    description: 'Only tokens that name it are accepted. Empty: all that these keys have signed.',
    ...LINE,
  },
  default_role: { description: 'Used when a machine names no role.', ...LINE },
  pem_keys: {
    title: 'Public keys (PEM)',
    description: 'The keys, or certificates, that verify the cluster’s service account tokens.',
    type: 'string',
    maxLength: 65_536,
    is_required: true,
    applies: BY_KEYS,
  },
  issuer: { description: 'Only tokens that name this issuer (iss) are accepted.', ...LINE },
  disable_iss_validation: {
    title: 'Accept any issuer',
    description: 'Tokens are accepted whatever issuer they name.',
    default: false,
    rare: true,
  },
  validation: {
    title: 'How does Sealift check tokens?',
    noun: 'Check of tokens',
    enum: ['local', 'review'],
    words: { local: 'By the cluster’s public keys', review: 'By asking its API server' },
    description:
      'With the keys, no log-in depends on the cluster. Its API server also knows which pods are gone.',
    default: 'local',
  },
  kubernetes_host: {
    title: 'URL of the API server',
    description: 'Such as https://10.0.0.1:6443.',
    is_required: true,
    applies: BY_ASKING,
    ...LINE,
  },
  kubernetes_ca_cert: {
    title: 'CA certificates of the API server (PEM)',
    description: OWN_CA,
    applies: BY_ASKING,
  },
  token_reviewer_jwt: {
    title: 'Token that asks the API server',
    description:
      'Of a service account with the role system:auth-delegator. Empty: that of the pod in which Sealift runs.',
    applies: BY_ASKING,
  },
  disable_local_ca_jwt: {
    title: 'Use only the token and certificates given here',
    description: 'Otherwise, what is left empty is that of the pod in which Sealift runs.',
    default: false,
    rare: true,
    applies: BY_ASKING,
  },
  bound_service_account_names: { title: 'Service accounts', is_required: true },
  bound_service_account_namespaces: { title: 'Namespaces', unset: 'None by name' },
  bound_service_account_namespace_selector: {
    title: 'Namespace label selector',
    description:
      'A label selector in JSON or YAML, such as {"matchLabels": {"team": "shop"}}. Needs the URL of the API server, and a token that may read namespaces.',
    unset: 'None by labels',
    type: 'string',
    maxLength: 5000,
  },
  audience: {
    description:
      'Only tokens issued for this audience, such as sealift, are accepted. If it is empty, tokens issued for any other service can log in too.',
    unset: 'Any audience',
    ...LINE,
  },
};

/** The fields that enabling and tuning an auth method has. */
export const authTuningFields = (): FieldAnswer[] =>
  pick(methodTuneBody.properties, ['description', 'default_lease_ttl', 'max_lease_ttl']);

/** The types of auth methods that can be enabled, with the fields of their forms. */
export function authKinds(): AuthKindAnswer[] {
  return [
    {
      type: 'approle',
      title: 'AppRole',
      config: [],
      role: pick(appRoleBody.properties, [
        'token_policies',
        'role_id',
        'bind_secret_id',
        'secret_id_ttl',
        'secret_id_num_uses',
        'secret_id_bound_cidrs',
        ...TOKEN_RULES,
      ]),
      secret_id: pick(newSecretIdBody, ['metadata', 'ttl', 'num_uses', 'cidr_list', 'token_bound_cidrs']),
    },
    {
      type: 'jwt',
      title: 'JWT',
      config: pick(jwtConfigBody.properties, [
        'oidc_discovery_url',
        'oidc_discovery_ca_pem',
        'jwks_url',
        'jwks_ca_pem',
        'jwt_validation_pubkeys',
        'bound_issuer',
        'jwt_supported_algs',
        'default_role',
      ]),
      role: pick(jwtRoleBody.properties, [
        'token_policies',
        'user_claim',
        'user_claim_json_pointer',
        'bound_audiences',
        'bound_subject',
        'bound_claims',
        'bound_claims_type',
        'claim_mappings',
        'clock_skew_leeway',
        ...TOKEN_RULES,
      ]),
      secret_id: [],
    },
    kubernetesKind(),
  ];
}

function kubernetesKind(): AuthKindAnswer {
  return {
    type: 'kubernetes',
    title: 'Kubernetes',
    config: pick(kubernetesConfigBody.properties, [
      'validation',
      'pem_keys',
      'kubernetes_host',
      'kubernetes_ca_cert',
      'token_reviewer_jwt',
      'issuer',
      'disable_iss_validation',
      'disable_local_ca_jwt',
    ]),
    role: pick(kubernetesRoleBody.properties, [
      'token_policies',
      'bound_service_account_names',
      'bound_service_account_namespaces',
      'bound_service_account_namespace_selector',
      'audience',
      ...TOKEN_RULES,
    ]),
    secret_id: [],
  };
}

function pick(properties: Record<string, TSchema>, names: string[]): FieldAnswer[] {
  const picked = names.flatMap((name) => (properties[name] ? [[name, properties[name]] as const] : []));
  return presentFields(Object.fromEntries(picked)).map((field) => ({ ...field, ...MORE[field.name] }));
}
