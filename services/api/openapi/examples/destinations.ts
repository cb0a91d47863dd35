import type { Example } from '../example.ts';
import { AT, ends, gives } from './build.ts';

type Life = {
  type: string;
  name?: string;
  body: object;
  /** The connection's details as the API shows them. */
  details: object;
  options: object;
  /** What the PATCH sends, and what it changes. */
  change: { body: object; details?: object; options?: object };
  /** Later examples use this destination and delete it. */
  stays?: boolean;
};

const policies = {
  conflict_policy: 'refuse',
  deletion_policy: 'delete',
  on_latest_deleted: 'previous',
  drift_check: false,
  owner_check_seconds: 0,
};
const cloudOptions = {
  granularity_level: 'secret-path',
  secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}',
  custom_tags: {},
  ...policies,
};
const keyOptions = {
  granularity_level: 'secret-key',
  secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}',
  ...policies,
};

const lives: Life[] = [
  {
    type: 'cloud1-sm',
    name: 'production',
    body: {
      access_key_id: 'EXAMPLEKEYID',
      secret_access_key: 'example-value',
      region: 'eu-west-1',
      secret_name_template: '{{ .SecretPath }}',
      custom_tags: { team: 'a' },
    },
    details: { region: 'eu-west-1', access_key_id: '*****', secret_access_key: '*****' },
    options: { ...cloudOptions, secret_name_template: '{{ .SecretPath }}', custom_tags: { team: 'a' } },
    change: {
      body: { custom_tags: { stage: 'production' }, tags_to_remove: ['team'] },
      options: { custom_tags: { stage: 'production' } },
    },
    stays: true,
  },
  {
    type: 'cloud2-kv',
    body: {
      key_vault_uri: 'https://example.vault.azure.net',
      client_id: '00000000-0000-0000-0000-000000000000',
      client_secret: 'example-value',
      tenant_id: 'example.com',
    },
    details: {
      client_id: '7f1c2a44-5d0e-4b55-9a0e-3c8f6f0f2b11',
      tenant_id: 'example.com',
      client_secret: '*****',
      key_vault_uri: 'https://example.vault.azure.net',
    },
    options: cloudOptions,
    change: { body: { purge_on_delete: true }, details: { purge_on_delete: true } },
  },
  {
    type: 'cloud3-sm',
    body: { credentials: '@example.json', project_id: 'example-project' },
    details: { project_id: 'example-project', credentials: '*****' },
    options: cloudOptions,
    change: {
      body: { replication_locations: ['europe-west1'] },
      details: { replication_locations: ['europe-west1'] },
    },
  },
  {
    type: 'hosting-project',
    body: {
      access_token: 'example-value',
      project_id: 'prj_example',
      deployment_environments: ['production'],
    },
    details: {
      project_id: 'prj_example',
      access_token: '*****',
      deployment_environments: ['production'],
      sensitive: true,
    },
    options: keyOptions,
    change: {
      body: { granularity: 'secret-path' },
      options: {
        granularity_level: 'secret-path',
        secret_name_template: cloudOptions.secret_name_template,
      },
    },
  },
  {
    type: 'repo-host',
    body: {
      access_token: 'example-value',
      repository_owner: 'example',
      repository_name: 'web',
      allowed_ipv4_addresses: ['192.0.2.0/24'],
      allowed_ports: [443],
    },
    details: {
      access_token: '*****',
      allowed_ports: [443],
      repository_name: 'web',
      repository_owner: 'example',
      secrets_service: 'actions',
      allowed_ipv4_addresses: ['192.0.2.0/24'],
    },
    options: keyOptions,
    change: {
      body: { secrets_location: 'environment', environment_name: 'production' },
      details: { secrets_location: 'environment', environment_name: 'production' },
    },
  },
];

function liveThrough({ type, name = 'example', body, details, options, change, stays }: Life): Example[] {
  const path = `/sys/sync/destinations/${type}/:name`;
  const parameters = { params: { name } };
  const read = { name, type, connection_details: details, options };
  const changed = {
    ...read,
    connection_details: { ...details, ...change.details },
    options: { ...options, ...change.options },
  };
  return [
    gives(`POST ${path}`, 'Create it', read, { ...parameters, body }),
    gives(`GET ${path}`, 'Read it', read, parameters),
    gives(`PATCH ${path}`, 'Change it', changed, { ...parameters, body: change.body }),
    ...(stays ? [] : [ends(`DELETE ${path}`, 'Delete it', parameters)]),
  ];
}

const paused = (reason: string): object => ({ since: AT, by: 'root', reason, until: null, changed_at: AT });

const [production] = lives;
const ofProduction = { params: { type: 'cloud1-sm', name: 'production' } };
const resumed = {
  name: 'production',
  type: 'cloud1-sm',
  connection_details: production?.details,
  options: { ...production?.options, ...production?.change.options },
};

const ofApp = { params: { name: 'example' } };
const app = {
  name: 'example',
  app_id: 123_456,
  fingerprint: 'q8mnMVW0i2CzWxo5PuRfgeXV/8tGZBqjYIR5b6Hk0bM=',
  private_key: '*****',
};

const githubAppExamples: Example[] = [
  gives('POST /sys/sync/github-apps/:name', 'Keep its key', app, {
    ...ofApp,
    body: { app_id: 123_456, private_key: '*****' },
  }),
  gives('GET /sys/sync/github-apps/:name', 'Read it', app, ofApp),
  gives('LIST /sys/sync/github-apps', 'List all', { keys: ['example'] }),
  ends('DELETE /sys/sync/github-apps/:name', 'Delete it', ofApp),
];

const config = (capacity: number): object => ({ disabled: false, queue_capacity: capacity });

/** The sync configuration, and destinations of each type. */
export const destinationsExamples: Example[] = [
  gives('GET /sys/sync/config', 'Read it', config(1_000_000)),
  gives('PATCH /sys/sync/config', 'Room for more', config(2_000_000), {
    body: { queue_capacity: 2_000_000 },
  }),
  gives('DELETE /sys/sync/config', 'The defaults', config(1_000_000)),
  gives(
    'POST /sys/sync/pause',
    'Pause all',
    {
      disabled: true,
      queue_capacity: 1_000_000,
      paused: paused('the network is being changed'),
      was_paused: false,
    },
    { body: { reason: 'the network is being changed' } },
  ),
  gives('POST /sys/sync/resume', 'Resume', { ...config(1_000_000), paused: null, was_paused: true }),
  ...githubAppExamples,
  ...lives.flatMap(liveThrough),
  gives(
    'POST /sys/sync/destinations/:type/:name/pause',
    'Pause one',
    { ...resumed, paused: paused('the account is being moved'), was_paused: false },
    { ...ofProduction, body: { reason: 'the account is being moved' } },
  ),
  gives(
    'POST /sys/sync/destinations/:type/:name/resume',
    'Resume it',
    { ...resumed, was_paused: true },
    ofProduction,
  ),
  gives(
    'GET /sys/sync/destinations/:type/:name/credentials',
    'Which key is in use',
    { store_type: 'cloud1-sm', store_name: 'production', in_use: { access_key_id: 'EXAMPLEKEYID' } },
    ofProduction,
  ),
  gives(
    'GET /sys/sync/destinations/:type/:name/identity',
    'Who it is towards its store',
    {
      store_type: 'cloud1-sm',
      store_name: 'production',
      mode: 'static',
      iss: 'https://sealift.example.com/v1/identity/oidc/secrets-sync',
      sub: 'secrets-sync:root:aws-sm:production',
      aud: null,
      role_session_name: 'sealift-24cbcd85d2f0eb24',
    },
    ofProduction,
  ),
  gives('LIST /sys/sync/destinations', 'List all', {
    keys: ['cloud1-sm/', 'repo-host/'],
    key_info: { 'cloud1-sm/': ['production'], 'repo-host/': ['idle'] },
    total_destinations: 2,
  }),
  gives(
    'LIST /sys/sync/destinations/:type',
    'List those of a type',
    { keys: ['production'], total_destinations: 1 },
    { params: { type: 'cloud1-sm' } },
  ),
];
