import type { Example } from '../example.ts';
import { tokens } from './auth/auth-methods.ts';
import { ends, gives } from './build.ts';

const team = { params: { path: 'team/kv' } };
const config = { default_lease_ttl: 0, max_lease_ttl: 0, force_no_cache: false };
const tuned = { default_lease_ttl: 2764800, max_lease_ttl: 2764800, force_no_cache: false };

const mounted = (description: string, version = '2'): object => ({
  accessor: 'kv_0f3a91c2',
  type: 'kv',
  description,
  uuid: '7f1c2a44-5d0e-4b55-9a0e-3c8f6f0f2b11',
  local: false,
  seal_wrap: false,
  external_entropy_access: false,
  options: { version },
  config,
  plugin_version: '',
  running_plugin_version: '',
  running_sha256: '',
  deprecation_status: 'supported',
});
const all = (description: string): object => ({
  'plain/': mounted('', '1'),
  'secret/': mounted('key/value secret storage'),
  'team/kv/': mounted(description),
});

const plain = { params: { mount: 'plain', path: 'app/db' } };
const value = { user: 'app', password: 'example-value' };

/** Mounts, and those without versions. */
export const mountsExamples: Example[] = [
  ends('POST /sys/mounts/*path', 'A mount of version 2', {
    ...team,
    body: { type: 'kv', options: { version: '2' }, description: 'Secrets of the team' },
  }),
  ends('POST /sys/mounts/*path', 'A mount of version 1', {
    params: { path: 'plain' },
    body: { type: 'kv' },
  }),
  gives('GET /sys/mounts', 'List them', all('Secrets of the team')),
  gives(
    'GET /sys/mount-usage/*path',
    'What would be lost with it',
    { secrets: 0, links: 0, is_complete: true, destinations: [] },
    team,
  ),
  gives('GET /sys/mounts/*path', 'Read one', mounted('Secrets of the team'), team),
  gives(
    'GET /sys/mounts/*path/tune',
    'Its settings',
    { ...tuned, description: 'Secrets of the team', options: { version: '2' } },
    team,
  ),
  ends('POST /sys/mounts/*path/tune', 'Describe it', {
    ...team,
    body: { description: 'Everything of the team' },
  }),
  gives('GET /sys/internal/ui/mounts', 'What the caller may enter', {
    secret: all('Everything of the team'),
    auth: { 'token/': tokens },
  }),
  gives(
    'GET /sys/internal/ui/mounts/*path',
    'Whose is a path',
    { ...mounted('key/value secret storage'), path: 'secret/' },
    { params: { path: 'secret/app/db' } },
  ),
  gives(
    'POST /sys/remount',
    'Move one',
    { migration_id: '<move>' },
    { body: { from: 'team/kv', to: 'team/moved' }, keep: { move: 'data.migration_id' } },
  ),
  gives(
    'GET /sys/remount/status/:id',
    'How it ended',
    {
      migration_id: '<move>',
      migration_info: { source_mount: 'team/kv/', target_mount: 'team/moved/', status: 'success' },
    },
    { params: { id: '<move>' } },
  ),
  ends('DELETE /sys/mounts/*path', 'Drop one', { params: { path: 'team/moved' } }),
  ends('POST /~kv1/*path', 'Write', { ...plain, body: value }),
  gives('GET /~kv1/*path', 'Read', value, plain),
  gives('LIST /~kv1{/*path}', 'List the mount', { keys: ['app/'] }, { params: { mount: 'plain' } }),
  gives('LIST /~kv1{/*path}', 'List a folder', { keys: ['db'] }, { params: { mount: 'plain', path: 'app' } }),
  ends('DELETE /~kv1/*path', 'Drop', plain),
];
