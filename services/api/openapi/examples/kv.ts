import type { Example } from '../example.ts';
import { AT, ends, gives } from './build.ts';

const DATA = '/~kv2/data/*path';
const METADATA = '/~kv2/metadata/*path';
const own = { params: { mount: 'secret', path: 'app/db' } };
const mount = { params: { mount: 'secret' } };
const custom = { owner: 'team-a', stage: 'production' };

const version = (number: number, more: object = {}): object => ({
  created_time: AT,
  custom_metadata: null,
  deletion_time: '',
  destroyed: false,
  version: number,
  ...more,
});
const by = (operation: string): object => ({ actor: 'root', client_id: '', entity_id: '', operation });
const versionInList = {
  created_time: AT,
  created_by: by('create'),
  deleted_by: null,
  deletion_time: '',
  destroyed: false,
};

/** Mounts with versions. */
export const kvExamples: Example[] = [
  gives(`POST ${DATA}`, 'Write a secret', version(1), {
    ...own,
    body: { data: { user: 'app', password: 'example-value' } },
  }),
  gives(`POST ${DATA}`, 'Write over version 1 only', version(2), {
    ...own,
    body: { data: { user: 'app', password: 'example-value-2' }, options: { cas: 1 } },
  }),
  gives(`PATCH ${DATA}`, 'Change one key', version(3), { ...own, body: { data: { port: 5432 } } }),
  gives(`PATCH ${DATA}`, 'Replace a value as a whole, and remove a key', version(4), {
    ...own,
    body: { data: { port: 5432 }, options: { cas: 3, replace: true, remove: ['old_port'] } },
  }),
  gives(
    `GET ${DATA}`,
    'Read the current version',
    { data: { user: 'app', password: 'example-value-2', port: 5432 }, metadata: version(3) },
    own,
  ),
  gives(
    `GET ${DATA}`,
    'Read version 1',
    { data: { user: 'app', password: 'example-value' }, metadata: version(1) },
    { ...own, query: { version: '1' } },
  ),
  gives(
    'GET /~kv2/subkeys/*path',
    'Keys only',
    { subkeys: { user: null, password: null, port: null }, metadata: version(3) },
    { ...own, query: { depth: '1' } },
  ),
  gives(
    'GET /~kv2/subkeys/*path',
    'Keys, and the types of their values',
    {
      subkeys: { user: null, port: null },
      metadata: version(3),
      types: { user: 'text', port: 'number' },
    },
    { ...own, query: { depth: '1', types: 'true' } },
  ),
  gives(
    'GET /~kv2/diff/*path',
    'Which keys were changed',
    { from: 2, to: 3, keys: { password: 'same', port: 'added', user: 'same' } },
    { ...own, query: { from: '2', to: '3' } },
  ),
  gives(
    'POST /sys/reveal/*path',
    'Show one value',
    { values: { port: { text: '5432', is_text: false } }, metadata: version(3) },
    { params: { path: 'secret/app/db' }, body: { keys: ['port'] } },
  ),
  gives(
    'GET /sys/story/*path',
    'What happened last',
    {
      mount: 'secret',
      path: 'app/db',
      story: [
        {
          kind: 'reveal',
          at: AT,
          by: 'root',
          accessor: 'ou5kZDcPM4uVYDlrgziDV5LH',
          auth_method: 'token',
          address: '192.0.2.17',
          action: 'POST /sys/reveal/*path',
          path: 'sys/reveal/secret/app/db',
          outcome: 'succeeded',
          status: 200,
          request_id: '7f1c2a44-5d0e-4b55-9a0e-3c8f6f0f2b11',
          detail: { version: 1, keys: ['port'] },
        },
      ],
      next_after: '81.9007199254740991.2147483647',
    },
    { params: { path: 'secret/app/db' }, query: { limit: '1' } },
  ),
  gives(
    'GET /sys/search',
    'Everything with app in its name',
    {
      destinations: [],
      secrets: [{ mount: 'secret', secret_name: 'app/db' }],
      is_complete: true,
      next_after: null,
    },
    { query: { q: 'app/d' } },
  ),
  gives(
    'GET /sys/search',
    'Secrets of a folder',
    {
      destinations: [],
      secrets: [
        {
          mount: 'secret',
          secret_name: 'app/db',
          info: {
            current_version: 3,
            updated_time: '2026-01-15T09:30:00.000Z',
            updated_by: 'root',
            state: 'live',
            links: {},
            paused_links: 0,
          },
        },
      ],
      is_complete: true,
      next_after: null,
    },
    { query: { q: 'd', below: 'secret/app', details: 'true' } },
  ),
  gives(
    'GET /sys/search/secrets',
    'A whole folder',
    { secrets: [{ mount: 'secret', secret_name: 'app/db' }], next_after: null },
    { query: { mount: 'secret', pattern: 'app/*' } },
  ),
  gives(
    'GET /sys/search/reachable',
    'The one folder that a team has',
    { keys: ['app/'], is_complete: true },
    { query: { mount: 'secret' } },
  ),
  ends(`POST ${METADATA}`, 'Keep five versions', {
    ...own,
    body: { max_versions: 5, custom_metadata: { owner: 'team-a' } },
  }),
  ends(`PATCH ${METADATA}`, 'Add to the metadata', {
    ...own,
    body: { custom_metadata: { stage: 'production' } },
  }),
  gives(
    `GET ${METADATA}`,
    'Read the metadata',
    {
      cas_required: false,
      delete_version_after: '0s',
      max_versions: 5,
      created_time: AT,
      current_version: 3,
      custom_metadata: custom,
      last_updated_by: by('update'),
      oldest_version: 0,
      updated_time: AT,
      versions: { '1': versionInList, '2': versionInList, '3': versionInList },
    },
    own,
  ),
  gives('LIST /~kv2/metadata{/*path}', 'List the mount', { keys: ['app/'] }, mount),
  gives(
    'LIST /~kv2/metadata{/*path}',
    'List a folder',
    { keys: ['db'] },
    { params: { mount: 'secret', path: 'app' }, query: { limit: '10' } },
  ),
  gives(
    'LIST /~kv2/metadata{/*path}',
    'List a folder with details',
    {
      keys: ['db'],
      key_info: {
        db: {
          current_version: 3,
          updated_time: AT,
          updated_by: 'root',
          state: 'live',
          links: {},
          paused_links: 0,
        },
      },
    },
    { params: { mount: 'secret', path: 'app' }, query: { details: 'true', limit: '100' } },
  ),
  ends(`DELETE ${DATA}`, 'Delete the current version', own),
  gives(
    `GET ${DATA}`,
    'Deleted',
    { data: null, metadata: version(3, { custom_metadata: custom, deletion_time: AT }) },
    { ...own, status: 404 },
  ),
  ends('POST /~kv2/undelete/*path', 'Take it back', { ...own, body: { versions: [3] } }),
  ends('POST /~kv2/delete/*path', 'Delete version 1', { ...own, body: { versions: [1] } }),
  gives('POST /~kv2/rollback/*path', 'Go back to version 2', version(5, { custom_metadata: custom }), {
    ...own,
    body: { version: 2, options: { cas: 4 } },
  }),
  ends('POST /~kv2/destroy/*path', 'Drop its value for good', { ...own, body: { versions: [1] } }),
  ends(`DELETE ${METADATA}`, 'Drop a secret', { params: { mount: 'secret', path: 'app/old' } }),
  ends('POST /~kv2/config', 'Ten versions of everything', { ...mount, body: { max_versions: 10 } }),
  gives(
    'GET /~kv2/config',
    'Read the limits',
    { cas_required: false, delete_version_after: '0s', max_versions: 10 },
    mount,
  ),
];
