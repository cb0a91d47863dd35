import type { Example } from '../example.ts';

/** Destinations that are projects and repositories. */
export const projectsExamples: Example[] = [
  {
    of: 'POST /sys/sync/destinations/hosting-project/:name',
    name: 'Create it',
    params: { name: 'example' },
    body: {
      access_token: 'example-value',
      project_id: 'prj_example',
      deployment_environments: ['production'],
    },
    status: 200,
    data: {
      name: 'example',
      type: 'hosting-project',
      connection_details: {
        project_id: 'prj_example',
        access_token: '*****',
        deployment_environments: ['production'],
      },
      options: {
        granularity_level: 'secret-key',
        secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}',
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'GET /sys/sync/destinations/hosting-project/:name',
    name: 'Read it',
    params: { name: 'example' },
    status: 200,
    data: {
      name: 'example',
      type: 'hosting-project',
      connection_details: {
        project_id: 'prj_example',
        access_token: '*****',
        deployment_environments: ['production'],
      },
      options: {
        granularity_level: 'secret-key',
        secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}',
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'PATCH /sys/sync/destinations/hosting-project/:name',
    name: 'Change it',
    params: { name: 'example' },
    body: { granularity: 'secret-path' },
    status: 200,
    data: {
      name: 'example',
      type: 'hosting-project',
      connection_details: {
        project_id: 'prj_example',
        access_token: '*****',
        deployment_environments: ['production'],
      },
      options: {
        granularity_level: 'secret-path',
        secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}',
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'DELETE /sys/sync/destinations/hosting-project/:name',
    name: 'Delete it',
    params: { name: 'example' },
    status: 204,
  },
  {
    of: 'POST /sys/sync/destinations/repo-host/:name',
    name: 'Create it',
    params: { name: 'example' },
    body: { access_token: 'example-value', repository_owner: 'example', repository_name: 'web' },
    status: 200,
    data: {
      name: 'example',
      type: 'repo-host',
      connection_details: { access_token: '*****', repository_name: 'web', repository_owner: 'example' },
      options: {
        granularity_level: 'secret-key',
        secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}',
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'GET /sys/sync/destinations/repo-host/:name',
    name: 'Read it',
    params: { name: 'example' },
    status: 200,
    data: {
      name: 'example',
      type: 'repo-host',
      connection_details: { access_token: '*****', repository_name: 'web', repository_owner: 'example' },
      options: {
        granularity_level: 'secret-key',
        secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}',
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'PATCH /sys/sync/destinations/repo-host/:name',
    name: 'Change it',
    params: { name: 'example' },
    body: { secrets_location: 'environment', environment_name: 'production' },
    status: 200,
    data: {
      name: 'example',
      type: 'repo-host',
      connection_details: {
        access_token: '*****',
        repository_name: 'web',
        environment_name: 'production',
        repository_owner: 'example',
        secrets_location: 'environment',
      },
      options: {
        granularity_level: 'secret-key',
        secret_name_template: 'sealift/{{ .MountAccessor }}/{{ .SecretPath }}_{{ .SecretKey }}',
        conflict_policy: 'refuse',
        deletion_policy: 'delete',
        drift_check: false,
      },
    },
  },
  {
    of: 'DELETE /sys/sync/destinations/repo-host/:name',
    name: 'Delete it',
    params: { name: 'example' },
    status: 204,
  },
];
