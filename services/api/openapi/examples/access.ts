import type { Example } from '../example.ts';
import { AT, CHANGED, ends, gives } from './build.ts';

const READER = 'path "secret/data/app/*" {\n  capabilities = ["read"]\n}\n';

const team = { policies: ['app-reader'], changed_at: AT, changed_by: 'root' };

/** Policies, rights and teams. */
export const accessExamples: Example[] = [
  {
    of: 'LIST /sys/policies/acl',
    name: 'List policies',
    status: 200,
    data: { keys: ['default', 'root', 'site-admin'] },
  },
  {
    of: 'POST /sys/policies/acl/:name',
    name: 'Reading one folder',
    params: { name: 'app-reader' },
    body: { policy: READER },
    status: 204,
  },
  {
    of: 'GET /sys/policies/acl/:name',
    name: 'Read it back',
    params: { name: 'app-reader' },
    status: 200,
    data: { name: 'app-reader', policy: READER },
  },
  {
    of: 'GET /sys/policies/acl/:name/holders',
    name: 'Who has it?',
    params: { name: 'app-reader' },
    status: 200,
    data: {
      name: 'app-reader',
      tokens: [],
      roles: [],
      totals: { tokens: 0, sessions: 0, roles: 0 },
      is_complete: true,
    },
  },
  {
    of: 'GET /sys/readers/*path',
    name: 'Who may read a secret?',
    params: { path: 'secret/app/db' },
    status: 200,
    data: {
      path: 'secret/app/db',
      tokens: [
        {
          name: 'root',
          user: null,
          accessor: '<accessor>',
          namespace: '',
          policies: ['root'],
          bound_cidrs: [],
          expire_time: null,
          sessions: 0,
        },
      ],
      roles: [],
      total_tokens: 1,
      is_complete: true,
    },
  },
  {
    of: 'GET /sys/revisions/*path',
    name: 'Who changed it?',
    params: { path: 'sys/policies/acl/app-reader' },
    status: 200,
    data: CHANGED,
  },
  {
    of: 'DELETE /sys/policies/acl/:name',
    name: 'Delete a policy',
    params: { name: 'app-writer' },
    status: 204,
  },
  {
    of: 'POST /sys/policy/:name',
    name: 'The document itself',
    params: { name: 'app-lister' },
    body: { path: { 'secret/metadata/app/*': { capabilities: ['list'] } } },
    status: 204,
  },
  {
    of: 'GET /sys/policy',
    name: 'List policies',
    status: 200,
    data: {
      keys: ['app-lister', 'app-reader', 'default'],
      policies: ['app-lister', 'app-reader', 'default'],
    },
  },
  {
    of: 'LIST /sys/policy',
    name: 'List policies by LIST',
    status: 200,
    data: {
      keys: ['app-lister', 'app-reader', 'default'],
      policies: ['app-lister', 'app-reader', 'default'],
    },
  },
  {
    of: 'GET /sys/policy/:name',
    name: 'Read it back',
    params: { name: 'app-lister' },
    status: 200,
    data: { name: 'app-lister', rules: '{"path":{"secret/metadata/app/*":{"capabilities":["list"]}}}' },
  },
  { of: 'DELETE /sys/policy/:name', name: 'Delete a policy', params: { name: 'app-lister' }, status: 204 },
  {
    of: 'POST /sys/capabilities-below',
    name: 'May the caller create a namespace?',
    body: { paths: ['sys/namespaces'] },
    status: 200,
    data: { 'sys/namespaces': ['root'], capabilities: ['root'] },
  },
  {
    of: 'POST /sys/capabilities-self',
    name: 'Ask about a path',
    body: { paths: ['secret/data/app/db'] },
    status: 200,
    data: { 'secret/data/app/db': ['root'], capabilities: ['root'] },
  },
  ends('POST /sys/teams/*path', 'Members of a team read one folder', {
    params: { path: 'developers' },
    body: { policies: ['app-reader'] },
  }),
  gives('GET /sys/teams/*path', 'Read it', team, { params: { path: 'developers' } }),
  gives('LIST /sys/teams', 'List them', { keys: ['developers'], key_info: { developers: team } }),
  ends('DELETE /sys/teams/*path', 'Delete it', { params: { path: 'developers' } }),
];

const signingKey = {
  e: 'AQAB',
  n: 'tmumx94tWtFFJZrVwQ7h…',
  alg: 'RS256',
  kid: 'Q6LoMPKQpzpa3ZK8MueEeUt5FDuYW7XV7kokN6NXP1g',
  kty: 'RSA',
  use: 'sig',
};

/** Issuers of tokens, and a token for a workload. */
export const oidcExamples: Example[] = [
  {
    of: 'GET /.well-known/openid-configuration',
    name: 'Discovery',
    token: null,
    status: 200,
    answer: {
      issuer: 'https://sealift.example.com',
      jwks_uri: 'https://sealift.example.com/.well-known/jwks',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid'],
      claims_supported: ['sub', 'aud', 'exp'],
    },
  },
  {
    of: 'GET /.well-known/jwks',
    name: 'Keys',
    token: null,
    status: 200,
    answer: { keys: [signingKey] },
  },
  {
    of: 'GET /.well-known/jwks.json',
    name: 'Keys by the name that some clients ask for',
    token: null,
    status: 200,
    answer: { keys: [signingKey] },
  },
  {
    of: 'GET /identity/oidc/secrets-sync/.well-known/openid-configuration',
    name: 'Discovery',
    token: null,
    status: 200,
    answer: {
      issuer: 'https://sealift.example.com/v1/identity/oidc/secrets-sync',
      jwks_uri: 'https://sealift.example.com/v1/identity/oidc/secrets-sync/.well-known/keys',
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      scopes_supported: ['openid'],
      claims_supported: ['sub', 'aud', 'exp'],
    },
  },
  {
    of: 'GET /identity/oidc/secrets-sync/.well-known/keys',
    name: 'Keys',
    token: null,
    status: 200,
    answer: { keys: [signingKey] },
  },
  {
    of: 'POST /identity/oidc/token',
    name: 'A token for one audience',
    body: { audience: ['https://api.example.com'], ttl: '30m' },
    status: 200,
    data: {
      token: '<token>',
      key_id: 'Q6LoMPKQpzpa3ZK8MueEeUt5FDuYW7XV7kokN6NXP1g',
      audience: ['https://api.example.com'],
      ttl: 1800,
      expires_at: '2026-01-15T09:30:00.000Z',
    },
  },
];
