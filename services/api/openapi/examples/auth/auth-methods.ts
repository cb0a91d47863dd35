import type { Example } from '../../example.ts';
import { AT, ends, gives, grants } from '../build.ts';
import { jwtExamples, tokenRules } from './jwt-method.ts';
import { kubernetesExamples } from './kubernetes-method.ts';

const tuning = {
  default_lease_ttl: 2764800,
  max_lease_ttl: 2764800,
  force_no_cache: false,
  token_type: 'default-service',
};

/** Tokens as an auth method. */
export const tokens = {
  accessor: 'auth_token_7f1c2a44',
  type: 'token',
  description: 'token based credentials',
  uuid: '7f1c2a44-5d0e-4b55-9a0e-3c8f6f0f2b11',
  local: false,
  seal_wrap: false,
  external_entropy_access: false,
  options: null,
  config: tuning,
  plugin_version: '',
  running_plugin_version: '',
  running_sha256: '',
  deprecation_status: 'supported',
};

const read = { ...tuning, description: tokens.description };
const lease = { body: { default_lease_ttl: '768h' } };

const approle = {
  ...tokens,
  accessor: 'auth_approle_0f3a91c2',
  type: 'approle',
  description: 'deployments',
  uuid: '0f3a91c2-5d0e-4b55-9a0e-3c8f6f0f2b11',
  config: { ...tuning, default_lease_ttl: 900, max_lease_ttl: 0 },
};
const approleTuning = { ...tuning, default_lease_ttl: 900, description: 'deployments' };

const web = { params: { name: 'web' } };
const role = {
  bind_secret_id: true,
  local_secret_ids: false,
  secret_id_bound_cidrs: [],
  secret_id_num_uses: 10,
  secret_id_ttl: 86_400,
  ...tokenRules,
};
const secretId = {
  secret_id_accessor: '<secret id accessor>',
  metadata: { host: 'web-1' },
  cidr_list: [],
  token_bound_cidrs: [],
  secret_id_num_uses: 10,
  secret_id_ttl: 86_400,
  creation_time: AT,
  expiration_time: AT,
  last_updated_time: AT,
};
const made = {
  secret_id: '<secret id>',
  secret_id_accessor: '<secret id accessor>',
  secret_id_ttl: 86_400,
  secret_id_num_uses: 10,
};
const loggedIn = {
  client_token: '<web token>',
  accessor: '<web accessor>',
  policies: ['app-reader', 'default'],
  token_policies: ['app-reader', 'default'],
  metadata: { host: 'web-1', role_name: 'web' },
  lease_duration: 900,
  renewable: true,
  entity_id: '',
  token_type: 'service',
  orphan: true,
  mfa_requirement: null,
  num_uses: 0,
};

/** AppRole at its usual path. */
const appRoleExamples: Example[] = [
  ends('POST /~approle/role/:name', 'A role for the web servers', {
    ...web,
    body: {
      token_policies: ['app-reader'],
      token_ttl: '15m',
      token_max_ttl: '1h',
      secret_id_ttl: '24h',
      secret_id_num_uses: 10,
    },
  }),
  gives('GET /~approle/role/:name', 'Read it', role, web),
  gives('LIST /~approle/role', 'List them', { keys: ['web'] }),
  ends('POST /~approle/role/:name/role-id', 'Choose the role id', {
    ...web,
    body: { role_id: 'web-servers' },
  }),
  gives('GET /~approle/role/:name/role-id', 'Read it', { role_id: 'web-servers' }, web),
  gives('POST /~approle/role/:name/secret-id', 'Make one', made, {
    ...web,
    body: { metadata: { host: 'web-1' } },
    keep: { 'secret id': 'data.secret_id', 'secret id accessor': 'data.secret_id_accessor' },
  }),
  gives(
    'POST /~approle/role/:name/custom-secret-id',
    'One of your own',
    { ...made, secret_id: 'example-of-your-own', secret_id_accessor: '<own accessor>' },
    {
      ...web,
      body: { secret_id: 'example-of-your-own' },
      keep: { 'own accessor': 'data.secret_id_accessor' },
    },
  ),
  gives(
    'LIST /~approle/role/:name/secret-id',
    'List their accessors',
    { keys: ['<secret id accessor>'], key_info: {} },
    web,
  ),
  gives('POST /~approle/role/:name/secret-id/lookup', 'Read it', secretId, {
    ...web,
    body: { secret_id: '<secret id>' },
  }),
  gives('POST /~approle/role/:name/secret-id-accessor/lookup', 'Read it', secretId, {
    ...web,
    body: { secret_id_accessor: '<secret id accessor>' },
  }),
  grants('POST /~approle/login', 'Log in', loggedIn, {
    token: null,
    body: { role_id: 'web-servers', secret_id: '<secret id>' },
  }),
  ends('POST /~approle/role/:name/secret-id/destroy', 'Delete it', {
    ...web,
    body: { secret_id: '<secret id>' },
  }),
  ends('POST /~approle/role/:name/secret-id-accessor/destroy', 'Delete it', {
    ...web,
    body: { secret_id_accessor: '<own accessor>' },
  }),
  {
    of: 'POST /~approle/tidy/secret-id',
    name: 'Delete what has expired',
    status: 202,
    warnings: [
      "Tidy operation successfully started. Any information from the operation will be printed to Vault's server logs.",
    ],
  },
  ends('DELETE /~approle/role/:name', 'Delete it', web),
];

/** Auth methods; audit devices and the key status: there are only the audit trail and the master key. */
export const authMethodExamples: Example[] = [
  gives('GET /sys/auth', 'Tokens', { 'token/': tokens }),
  gives('GET /sys/auth/*path', 'Tokens', tokens, { params: { path: 'token' } }),
  gives('GET /sys/auth/token/tune', 'How they are tuned', read),
  gives('GET /sys/mounts/auth/token/tune', 'How they are tuned', read),
  ends('POST /sys/auth/token/tune', 'As it is', lease),
  ends('POST /sys/mounts/auth/token/tune', 'As it is', lease),
  ends('POST /sys/auth/*path', 'AppRole, with tokens for a quarter of an hour', {
    params: { path: 'approle' },
    body: { type: 'approle', description: 'deployments', config: { default_lease_ttl: '15m' } },
  }),
  gives('GET /sys/auth/*path', 'AppRole', approle, { params: { path: 'approle' } }),
  gives('GET /sys/mounts/auth/*path', 'The same, without sudo', approle, { params: { path: 'approle' } }),
  gives('GET /sys/auth/*path/tune', 'How it is tuned', approleTuning, { params: { path: 'approle' } }),
  gives(
    'GET /sys/auth-usage/*path',
    'What would be lost with it',
    { roles: 0, secret_ids: 0, tokens: 0, is_complete: true },
    { params: { path: 'approle' } },
  ),
  gives('GET /sys/mounts/auth/*path/tune', 'How it is tuned', approleTuning, { params: { path: 'approle' } }),
  ends('POST /sys/auth/*path/tune', 'Another limit', {
    params: { path: 'approle' },
    body: { max_lease_ttl: '12h' },
  }),
  ends('POST /sys/mounts/auth/*path/tune', 'Another limit', {
    params: { path: 'approle' },
    body: { max_lease_ttl: '24h' },
  }),
  ...appRoleExamples,
  ends('DELETE /sys/auth/*path', 'Disable AppRole', { params: { path: 'approle' } }),
  ...jwtExamples,
  ...kubernetesExamples,
  gives('GET /sys/audit', 'The audit trail', {
    'file/': {
      type: 'file',
      path: 'file/',
      description: 'the audit trail, always on; read it at /api/v2/admin/audit-events',
      local: false,
      options: {
        file_path: 'postgresql:audit_events',
        log_raw: 'false',
        audit_reads: 'true',
        retention_days: '365',
      },
    },
  }),
  ends('DELETE /sys/audit/*path', 'One that is not there', { params: { path: 'socket' } }),
  gives('GET /sys/key-status', 'The first master key', { term: 1, install_time: AT, encryptions: 12 }),
];
