import type { Example } from '../example.ts';

/** Examples of refusals. */
export const refusals: (Example & { dialect: 'secrets' | 'admin' })[] = [
  {
    dialect: 'secrets',
    of: 'POST /sys/auth/*path',
    name: 'No such auth method',
    params: { path: 'github' },
    body: { type: 'github' },
    status: 400,
    answer: {
      errors: ['the auth method "github" is not supported: approle, jwt, kubernetes can be enabled'],
    },
  },
  {
    dialect: 'secrets',
    of: 'POST /sys/audit/*path',
    name: 'No such audit device',
    params: { path: 'net' },
    body: { type: 'socket' },
    status: 400,
    answer: {
      errors: [
        'the audit device "socket" is not supported: the only audit device is the audit trail, which is always on',
      ],
    },
  },
  {
    dialect: 'secrets',
    of: 'POST /sys/mounts/*path',
    name: 'No such engine',
    params: { path: 'other' },
    body: { type: 'pki' },
    status: 400,
    answer: { errors: ['the secrets engine "pki" is not supported: only kv is'] },
  },
  {
    dialect: 'secrets',
    of: 'POST /sys/wrapping/unwrap',
    name: 'Fetched already',
    token: null,
    body: { token: '<wrapping-token>' },
    status: 400,
    answer: { errors: ['wrapping token is not valid or does not exist'] },
  },
  {
    dialect: 'secrets',
    of: 'POST /sys/sync/destinations/cloud1-sm/:name',
    name: 'Identity tokens without a role',
    params: { name: 'by-role' },
    body: { identity_token_audience: 'sts.amazonaws.com', region: 'eu-west-1' },
    status: 400,
    answer: { errors: ['role_arn is required with identity_token_audience'] },
  },
  {
    dialect: 'secrets',
    of: 'POST /users/saml/auth',
    name: 'A forged answer',
    token: null,
    body: 'SAMLResponse=Zm9yZ2Vk',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    status: 404,
    answer: { errors: [] },
  },
  {
    dialect: 'secrets',
    of: 'GET /users/saml/login',
    name: 'Single sign-on is off',
    token: null,
    status: 404,
    answer: { errors: [] },
  },
  {
    dialect: 'secrets',
    of: 'GET /~kv2/data/*path',
    name: 'No token',
    params: { mount: 'secret', path: 'app/db' },
    token: null,
    status: 403,
    answer: { errors: ['permission denied'] },
  },
  {
    dialect: 'secrets',
    of: 'GET /~kv2/data/*path',
    name: 'No such secret',
    params: { mount: 'secret', path: 'absent' },
    status: 404,
    answer: { errors: [] },
  },
  {
    dialect: 'secrets',
    of: 'DELETE /~kv2/config',
    name: 'No such method',
    params: { mount: 'secret' },
    status: 405,
    answer: { errors: ['unsupported operation'] },
  },
  {
    dialect: 'secrets',
    of: 'PATCH /~kv2/data/*path',
    name: 'Another content type',
    params: { mount: 'secret', path: 'app/db' },
    headers: { 'content-type': 'text/plain' },
    body: '{}',
    status: 415,
    answer: { errors: ['PATCH requires Content-Type of application/merge-patch+json, provided text/plain'] },
  },
  {
    dialect: 'secrets',
    of: 'POST /sys/sync/destinations/:type/:name/check',
    name: 'No worker',
    params: { type: 'repo-host', name: 'idle' },
    status: 503,
    answer: {
      errors: [
        'no connector.repo-host worker accepted the command in time: none is running, or all are busy; nothing was done',
      ],
    },
  },
  {
    dialect: 'admin',
    of: 'GET /api/v2/admin/general-settings',
    name: 'No token',
    token: null,
    status: 401,
    answer: {
      errors: [
        {
          status: '401',
          title: 'unauthorized',
          detail: 'the request needs a valid token: Authorization: Bearer <token>',
        },
      ],
    },
  },
  {
    dialect: 'admin',
    of: 'GET /api/v2/admin/policy-engine-versions/:id',
    name: 'No such version',
    params: { id: 'absent' },
    status: 404,
    answer: { errors: [{ status: '404', title: 'not found' }] },
  },
  {
    dialect: 'admin',
    of: 'POST /api/v2/admin/saml-settings/actions/test-sign-in',
    name: 'Nothing to test',
    body: {},
    status: 400,
    answer: {
      errors: [
        {
          status: '400',
          title: 'bad request',
          detail: 'single sign-on is not enabled: set enabled, and the settings that it needs, first',
        },
      ],
    },
  },
  {
    dialect: 'admin',
    of: 'POST /api/v2/admin/sms-settings/verify',
    name: 'No number',
    body: {},
    status: 400,
    answer: {
      errors: [
        {
          status: '400',
          title: 'bad request',
          detail: 'test-number is required',
          source: { pointer: '/data/attributes/test-number' },
        },
      ],
    },
  },
  {
    dialect: 'admin',
    of: 'PATCH /api/v2/admin/general-settings',
    name: 'Another content type',
    headers: { 'content-type': 'text/plain' },
    body: '{}',
    status: 415,
    answer: {
      errors: [
        {
          status: '415',
          title: 'unsupported media type',
          detail: 'the content type must be application/vnd.api+json',
        },
      ],
    },
  },
  {
    dialect: 'admin',
    of: 'PATCH /api/v2/admin/general-settings',
    name: 'A limit too low',
    body: { data: { attributes: { 'api-rate-limit': 1 } } },
    status: 422,
    answer: {
      errors: [
        {
          status: '422',
          title: 'invalid attribute',
          detail: 'api-rate-limit must be >= 30',
          source: { pointer: '/data/attributes/api-rate-limit' },
        },
      ],
    },
  },
];
