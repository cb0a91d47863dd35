import type { Example } from '../example.ts';

/** The sync configuration, and one destination. */
export const syncExamples: Example[] = [
  {
    of: 'GET /sys/sync/config',
    name: 'Read it',
    status: 200,
    data: { disabled: false, queue_capacity: 1000000 },
  },
  {
    of: 'PATCH /sys/sync/config',
    name: 'Room for more',
    body: { queue_capacity: 2000000 },
    status: 200,
    data: { disabled: false, queue_capacity: 2000000 },
  },
  {
    of: 'DELETE /sys/sync/config',
    name: 'The defaults',
    status: 200,
    data: { disabled: false, queue_capacity: 1000000 },
  },
  {
    of: 'POST /sys/sync/destinations/cloud1-sm/:name',
    name: 'Create it',
    params: { name: 'production' },
    body: {
      access_key_id: 'EXAMPLEKEYID',
      secret_access_key: 'example-value',
      region: 'eu-west-1',
      secret_name_template: '{{ .SecretPath }}',
      custom_tags: { team: 'a' },
    },
    status: 200,
    data: {
      name: 'production',
      type: 'cloud1-sm',
      connection_details: { region: 'eu-west-1', access_key_id: '*****', secret_access_key: '*****' },
      options: {
        granularity_level: 'secret-path',
        secret_name_template: '{{ .SecretPath }}',
        custom_tags: { team: 'a' },
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'GET /sys/sync/destinations/cloud1-sm/:name',
    name: 'Read it',
    params: { name: 'production' },
    status: 200,
    data: {
      name: 'production',
      type: 'cloud1-sm',
      connection_details: { region: 'eu-west-1', access_key_id: '*****', secret_access_key: '*****' },
      options: {
        granularity_level: 'secret-path',
        secret_name_template: '{{ .SecretPath }}',
        custom_tags: { team: 'a' },
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'PATCH /sys/sync/destinations/cloud1-sm/:name',
    name: 'Change it',
    params: { name: 'production' },
    body: { custom_tags: { stage: 'production' }, tags_to_remove: ['team'] },
    status: 200,
    data: {
      name: 'production',
      type: 'cloud1-sm',
      connection_details: { region: 'eu-west-1', access_key_id: '*****', secret_access_key: '*****' },
      options: {
        granularity_level: 'secret-path',
        secret_name_template: '{{ .SecretPath }}',
        custom_tags: { stage: 'production' },
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'LIST /sys/sync/destinations',
    name: 'List all',
    status: 200,
    data: {
      keys: ['cloud1-sm/', 'repo-host/'],
      key_info: { 'cloud1-sm/': ['production'], 'repo-host/': ['idle'] },
      total_destinations: 2,
    },
  },
  {
    of: 'LIST /sys/sync/destinations/:type',
    name: 'List those of a type',
    params: { type: 'cloud1-sm' },
    status: 200,
    data: { keys: ['production'], total_destinations: 1 },
  },
];
