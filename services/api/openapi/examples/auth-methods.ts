import type { Example } from '../example.ts';
import { AT, ends, gives } from './build.ts';

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

/** Auth methods, audit devices and the key status: there are only tokens, the audit trail and the master key. */
export const authMethodExamples: Example[] = [
  gives('GET /sys/auth', 'Tokens', { 'token/': tokens }),
  gives('GET /sys/auth/*path', 'Tokens', tokens, { params: { path: 'token' } }),
  gives('GET /sys/auth/token/tune', 'How they are tuned', read),
  gives('GET /sys/mounts/auth/token/tune', 'How they are tuned', read),
  ends('POST /sys/auth/token/tune', 'As it is', lease),
  ends('POST /sys/mounts/auth/token/tune', 'As it is', lease),
  ends('DELETE /sys/auth/*path', 'One that is not there', { params: { path: 'github' } }),
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
