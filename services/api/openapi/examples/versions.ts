import type { Example } from '../example.ts';

/** Versions of the policy engine, and what was changed. */
export const versionsExamples: Example[] = [
  {
    of: 'POST /api/v2/admin/policy-engine-versions',
    name: 'Add one',
    body: {
      data: {
        type: 'policy-engine-versions',
        attributes: {
          version: '1.2.3',
          url: 'https://downloads.example.com/engine-1.2.3.zip',
          sha: '0000000000000000000000000000000000000000000000000000000000000000',
        },
      },
    },
    status: 201,
    keep: { 'version id': 'data.id' },
    answer: {
      data: {
        id: '<version id>',
        type: 'policy-engine-versions',
        attributes: {
          version: '1.2.3',
          url: 'https://downloads.example.com/engine-1.2.3.zip',
          sha: '0000000000000000000000000000000000000000000000000000000000000000',
          deprecated: false,
          'deprecated-reason': null,
          official: false,
          enabled: true,
          beta: false,
          usage: 0,
          'created-at': '2026-01-15T09:30:00.000Z',
          archs: [
            {
              url: 'https://downloads.example.com/engine-1.2.3.zip',
              sha: '0000000000000000000000000000000000000000000000000000000000000000',
              os: 'linux',
              arch: 'amd64',
            },
          ],
        },
      },
    },
  },
  {
    of: 'GET /api/v2/admin/policy-engine-versions',
    name: 'List them',
    query: { 'page[size]': '20' },
    status: 200,
    answer: {
      data: [
        {
          id: '<version id>',
          type: 'policy-engine-versions',
          attributes: {
            version: '1.2.3',
            url: 'https://downloads.example.com/engine-1.2.3.zip',
            sha: '0000000000000000000000000000000000000000000000000000000000000000',
            deprecated: false,
            'deprecated-reason': null,
            official: false,
            enabled: true,
            beta: false,
            usage: 0,
            'created-at': '2026-01-15T09:30:00.000Z',
            archs: [
              {
                url: 'https://downloads.example.com/engine-1.2.3.zip',
                sha: '0000000000000000000000000000000000000000000000000000000000000000',
                os: 'linux',
                arch: 'amd64',
              },
            ],
          },
        },
      ],
      links: {
        self: 'https://sealift.example.com/api/v2/admin/policy-engine-versions?page%5Bnumber%5D=1&page%5Bsize%5D=20',
        first:
          'https://sealift.example.com/api/v2/admin/policy-engine-versions?page%5Bnumber%5D=1&page%5Bsize%5D=20',
        prev: null,
        next: null,
        last: 'https://sealift.example.com/api/v2/admin/policy-engine-versions?page%5Bnumber%5D=1&page%5Bsize%5D=20',
      },
      meta: {
        pagination: {
          'current-page': 1,
          'page-size': 20,
          'prev-page': null,
          'next-page': null,
          'total-pages': 1,
          'total-count': 1,
        },
      },
    },
  },
  {
    of: 'GET /api/v2/admin/policy-engine-versions/:id',
    name: 'Read one',
    params: { id: '<version id>' },
    status: 200,
    answer: {
      data: {
        id: '<version id>',
        type: 'policy-engine-versions',
        attributes: {
          version: '1.2.3',
          url: 'https://downloads.example.com/engine-1.2.3.zip',
          sha: '0000000000000000000000000000000000000000000000000000000000000000',
          deprecated: false,
          'deprecated-reason': null,
          official: false,
          enabled: true,
          beta: false,
          usage: 0,
          'created-at': '2026-01-15T09:30:00.000Z',
          archs: [
            {
              url: 'https://downloads.example.com/engine-1.2.3.zip',
              sha: '0000000000000000000000000000000000000000000000000000000000000000',
              os: 'linux',
              arch: 'amd64',
            },
          ],
        },
      },
    },
  },
  {
    of: 'PATCH /api/v2/admin/policy-engine-versions/:id',
    name: 'Deprecate it',
    params: { id: '<version id>' },
    body: {
      data: {
        type: 'policy-engine-versions',
        attributes: { deprecated: true, 'deprecated-reason': 'Replaced' },
      },
    },
    status: 200,
    answer: {
      data: {
        id: '<version id>',
        type: 'policy-engine-versions',
        attributes: {
          version: '1.2.3',
          url: 'https://downloads.example.com/engine-1.2.3.zip',
          sha: '0000000000000000000000000000000000000000000000000000000000000000',
          deprecated: true,
          'deprecated-reason': 'Replaced',
          official: false,
          enabled: true,
          beta: false,
          usage: 0,
          'created-at': '2026-01-15T09:30:00.000Z',
          archs: [
            {
              url: 'https://downloads.example.com/engine-1.2.3.zip',
              sha: '0000000000000000000000000000000000000000000000000000000000000000',
              os: 'linux',
              arch: 'amd64',
            },
          ],
        },
      },
    },
  },
  {
    of: 'PUT /api/v2/admin/policy-engine-versions/:id/usages/:kind/:usageId',
    name: 'A workspace uses it',
    params: { id: '<version id>', kind: 'workspaces', usageId: 'ws-example' },
    status: 204,
  },
  {
    of: 'DELETE /api/v2/admin/policy-engine-versions/:id/usages/:kind/:usageId',
    name: 'No longer',
    params: { id: '<version id>', kind: 'workspaces', usageId: 'ws-example' },
    status: 204,
  },
  {
    of: 'DELETE /api/v2/admin/policy-engine-versions/:id',
    name: 'Delete it',
    params: { id: '<version id>' },
    status: 204,
  },
  {
    of: 'GET /api/v2/admin/audit-events',
    name: 'The last change',
    query: { 'page[size]': '1' },
    status: 200,
    answer: {
      data: [
        {
          id: '80',
          type: 'audit-events',
          attributes: {
            at: '2026-01-15T09:30:00.000Z',
            accessor: 'ou5kZDcPM4uVYDlrgziDV5LH',
            actor: 'root',
            namespace: '',
            action: 'DELETE /api/v2/admin/policy-engine-versions/:id',
            path: 'api/v2/admin/policy-engine-versions/tool-UBRhHt9iU0DHxwuA',
            outcome: 'succeeded',
            status: 204,
            'request-id': '7f1c2a44-5d0e-4b55-9a0e-3c8f6f0f2b11',
            detail: null,
          },
        },
      ],
      links: {
        self: 'https://sealift.example.com/api/v2/admin/audit-events?page%5Bnumber%5D=1&page%5Bsize%5D=1',
        first: 'https://sealift.example.com/api/v2/admin/audit-events?page%5Bnumber%5D=1&page%5Bsize%5D=1',
        prev: null,
        next: 'https://sealift.example.com/api/v2/admin/audit-events?page%5Bnumber%5D=2&page%5Bsize%5D=1',
        last: 'https://sealift.example.com/api/v2/admin/audit-events?page%5Bnumber%5D=80&page%5Bsize%5D=1',
      },
      meta: {
        pagination: {
          'current-page': 1,
          'page-size': 1,
          'prev-page': null,
          'next-page': 2,
          'total-pages': 80,
          'total-count': 80,
        },
      },
    },
  },
];
