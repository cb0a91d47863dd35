import type { Example } from '../example.ts';
import { AT, ends, gives, grants } from './build.ts';

const POLICIES = ['app-reader', 'default'];

const granted = (token: string, accessor: string, more: object = {}): object => ({
  client_token: token,
  accessor,
  policies: POLICIES,
  token_policies: POLICIES,
  metadata: null,
  lease_duration: 3600,
  renewable: true,
  entity_id: '',
  token_type: 'service',
  orphan: false,
  mfa_requirement: null,
  num_uses: 0,
  ...more,
});
const onlyDefault = { policies: ['default'], token_policies: ['default'] };
const first = granted('<token>', '<accessor>');
const found = {
  accessor: '<accessor>',
  creation_time: 1768469400,
  creation_ttl: 3600,
  display_name: 'token-app',
  entity_id: '',
  expire_time: AT,
  explicit_max_ttl: 0,
  id: '<token>',
  issue_time: AT,
  meta: null,
  num_uses: 0,
  orphan: false,
  path: 'auth/token/create',
  policies: POLICIES,
  renewable: true,
  ttl: 3600,
  type: 'service',
};
const asToken = (name: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer <${name}>` },
});

const team = { params: { path: 'team-a' } };
const namespace = { id: 'LD6vaV', path: 'team-a/', custom_metadata: {} };

const role = {
  name: 'ci',
  allowed_policies: ['app-reader'],
  allowed_policies_glob: ['app-*'],
  disallowed_policies: [],
  disallowed_policies_glob: [],
  orphan: true,
  renewable: true,
  path_suffix: '',
  token_explicit_max_ttl: 86_400,
  token_period: 3600,
  token_bound_cidrs: ['127.0.0.0/8', '::1'],
  token_no_default_policy: false,
  token_num_uses: 5,
  token_type: 'service',
  explicit_max_ttl: 86_400,
  period: 3600,
  allowed_entity_aliases: [],
};
const readsOne = { 'secret/data/app/db': ['read'], capabilities: ['read'] };

/** Tokens and namespaces. */
export const tokensExamples: Example[] = [
  grants('POST /auth/token/create', 'A token for an hour', first, {
    body: { policies: ['app-reader'], ttl: '1h', display_name: 'app' },
    keep: { token: 'auth.client_token', accessor: 'auth.accessor' },
  }),
  grants(
    'POST /auth/token/create-orphan',
    'A token that outlives its maker',
    granted('<orphan>', '<orphan accessor>', { ...onlyDefault, orphan: true }),
    {
      body: { policies: ['default'], ttl: '1h' },
      keep: { orphan: 'auth.client_token', 'orphan accessor': 'auth.accessor' },
    },
  ),
  gives('GET /auth/token/lookup-self', 'Of a token made above', found, asToken('token')),
  gives('POST /auth/token/lookup', 'Look it up', found, { body: { token: '<token>' } }),
  gives(
    'POST /auth/token/lookup-accessor',
    'Look it up',
    { ...found, id: '' },
    {
      body: { accessor: '<accessor>' },
    },
  ),
  gives('POST /sys/capabilities', 'Of a token made above', readsOne, {
    body: { paths: ['secret/data/app/db'], token: '<token>' },
  }),
  gives('POST /sys/capabilities-accessor', 'The same by its accessor', readsOne, {
    body: { paths: ['secret/data/app/db'], accessor: '<accessor>' },
  }),
  grants('POST /auth/token/renew-self', 'Renew', first, { ...asToken('token'), body: { increment: '1h' } }),
  grants('POST /auth/token/renew', 'Renew', first, { body: { token: '<token>', increment: 3600 } }),
  gives('LIST /auth/token/accessors', 'All accessors', {
    keys: ['<orphan accessor>', '<accessor>', 'ou5kZDcPM4uVYDlrgziDV5LH'],
  }),
  gives(
    'GET /auth/token/accessors',
    'The newest token',
    { tokens: [{ ...found, id: '', tokens_below: 0, sessions: 0 }], next_before: 42 },
    { query: { limit: '1' } },
  ),
  gives('POST /sys/policies/preview', 'Before it is written', readsOne, {
    body: {
      policy: 'path "secret/data/app/*" { capabilities = ["read"] }',
      paths: ['secret/data/app/db'],
    },
  }),
  grants('POST /auth/token/renew-accessor', 'Renew', granted('', '<accessor>'), {
    body: { accessor: '<accessor>', increment: '1h' },
  }),
  ends('POST /auth/token/roles/:name', 'A role for tokens of a pipeline', {
    params: { name: 'ci' },
    body: {
      allowed_policies: ['app-reader'],
      allowed_policies_glob: ['app-*'],
      orphan: true,
      token_period: '1h',
      token_explicit_max_ttl: '24h',
      token_bound_cidrs: ['127.0.0.0/8', '::1'],
      token_num_uses: 5,
      token_type: 'service',
    },
  }),
  gives('GET /auth/token/roles/:name', 'Read it', role, { params: { name: 'ci' } }),
  gives('LIST /auth/token/roles', 'List them', { keys: ['ci'] }),
  grants(
    'POST /auth/token/create/:name',
    'A token as the role says',
    granted('<piped>', '<piped accessor>', { orphan: true, num_uses: 5 }),
    {
      params: { name: 'ci' },
      body: { display_name: 'build' },
      keep: { piped: 'auth.client_token', 'piped accessor': 'auth.accessor' },
    },
  ),
  ends('POST /auth/token/revoke-orphan', 'Revoke it alone', { body: { token: '<piped>' } }),
  {
    of: 'POST /auth/token/tidy',
    name: 'Nothing is left over',
    status: 200,
    warnings: ['expired and used-up tokens that were deleted: 0'],
  },
  ends('DELETE /auth/token/roles/:name', 'Delete it', { params: { name: 'ci' } }),
  ends('POST /auth/token/revoke', 'Revoke', { body: { token: '<token>' } }),
  ends('POST /auth/token/revoke-accessor', 'Revoke', { body: { accessor: '<orphan accessor>' } }),
  grants(
    'POST /auth/token/create',
    'A token with fewer rights',
    granted('<ended>', 'StAx7EeqZFrhBTN3l3QauADl', { ...onlyDefault, lease_duration: 2764800 }),
    { body: { policies: ['default'] }, keep: { ended: 'auth.client_token' } },
  ),
  ends('POST /auth/token/revoke-self', 'End it', asToken('ended')),
  gives('POST /sys/namespaces/*path', 'Make one', namespace, team),
  gives('GET /sys/namespaces/*path', 'Read it', namespace, team),
  gives('LIST /sys/namespaces', 'List them', {
    keys: ['team-a/'],
    key_info: { 'team-a/': namespace },
  }),
  gives(
    'PATCH /sys/namespaces/*path',
    'Note who owns it',
    { ...namespace, custom_metadata: { owner: 'team a' } },
    { ...team, body: { custom_metadata: { owner: 'team a' } } },
  ),
  ends('DELETE /sys/namespaces/*path', 'Delete it', team),
];

/** What a browser gets with its session. */
export const session = {
  csrf: 'wBWnWf4ay0bYAAM1zBcBhHrA1pnBqCEvyk8dvZ0V1vQ',
  accessor: '0f3a91c2b7d84e5f9a6b1c3d',
  display_name: 'root',
  policies: ['root'],
  namespace_path: '',
  browser: null,
  system: null,
  address: '127.0.0.1',
  created_time: '2026-01-15T09:30:00.000Z',
  expire_time: '2026-01-15T21:30:00.000Z',
  idle_seconds: 1800,
  idle_remaining_seconds: 1800,
  remaining_seconds: 43_200,
};

const listed = {
  accessor: session.accessor,
  display_name: 'root',
  policies: ['root'],
  browser: session.browser,
  system: session.system,
  address: session.address,
  created_time: session.created_time,
  last_used_time: session.created_time,
  expire_time: session.expire_time,
  is_own: true,
  is_current: false,
};

/** Browser sessions. */
export const sessionExamples: Example[] = [
  {
    of: 'POST /auth/session',
    name: 'Begin a session',
    headers: { 'sec-fetch-site': 'same-origin' },
    status: 200,
    data: session,
  },
  { of: 'GET /auth/session', name: 'Nobody is signed in', token: null, status: 204 },
  {
    of: 'LIST /auth/session',
    name: 'Who is signed in',
    status: 200,
    keep: { 'session id': 'data.keys.0' },
    data: { keys: ['<session id>'], key_info: { '<session id>': listed }, next_after: null },
  },
  {
    of: 'DELETE /auth/session/:id',
    name: 'End one',
    params: { id: '<session id>' },
    status: 204,
  },
  gives(
    'GET /auth/session/methods',
    'Before anybody is signed in',
    { saml: false, help: '', support: null },
    {
      token: null,
    },
  ),
  gives('GET /auth/session/welcome', 'Whoever has no rights reads whom to ask', { text: '', support: null }),
  { of: 'DELETE /auth/session', name: 'No session is left', status: 204 },
];
