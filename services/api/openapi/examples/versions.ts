import type { Example } from '../example.ts';
import { answers, AT, documentOf, ends, firstPage } from './build.ts';

const TYPE = 'policy-engine-versions';
const PATH = `/api/v2/admin/${TYPE}`;
const binary = {
  url: 'https://downloads.example.com/engine-1.2.3.zip',
  sha: '0000000000000000000000000000000000000000000000000000000000000000',
};
const attributes = {
  version: '1.2.3',
  ...binary,
  deprecated: false,
  'deprecated-reason': null,
  official: false,
  enabled: true,
  beta: false,
  usage: 0,
  'created-at': AT,
  archs: [{ ...binary, os: 'linux', arch: 'amd64' }],
};
const deprecated = { deprecated: true, 'deprecated-reason': 'Replaced' };
const own = { params: { id: '<version id>' } };
const usage = { params: { id: '<version id>', kind: 'workspaces', usageId: 'ws-example' } };

/** Versions of the policy engine, and what was changed. */
export const versionsExamples: Example[] = [
  answers(`POST ${PATH}`, 'Add one', documentOf('<version id>', TYPE, attributes), {
    body: { data: { type: TYPE, attributes: { version: '1.2.3', ...binary } } },
    status: 201,
    keep: { 'version id': 'data.id' },
  }),
  answers(
    `GET ${PATH}`,
    'List them',
    firstPage(PATH, [{ id: '<version id>', type: TYPE, attributes }], { size: 20, total: 1 }),
    { query: { 'page[size]': '20' } },
  ),
  answers(`GET ${PATH}/:id`, 'Read one', documentOf('<version id>', TYPE, attributes), own),
  answers(
    `PATCH ${PATH}/:id`,
    'Deprecate it',
    documentOf('<version id>', TYPE, { ...attributes, ...deprecated }),
    { ...own, body: { data: { type: TYPE, attributes: deprecated } } },
  ),
  ends(`PUT ${PATH}/:id/usages/:kind/:usageId`, 'A workspace uses it', usage),
  ends(`DELETE ${PATH}/:id/usages/:kind/:usageId`, 'No longer', usage),
  ends(`DELETE ${PATH}/:id`, 'Delete it', own),
  answers(
    'GET /api/v2/admin/audit-events',
    'The last change',
    firstPage(
      '/api/v2/admin/audit-events',
      [
        {
          id: '80',
          type: 'audit-events',
          attributes: {
            at: AT,
            accessor: 'ou5kZDcPM4uVYDlrgziDV5LH',
            actor: 'root',
            namespace: '',
            action: `DELETE ${PATH}/:id`,
            path: 'api/v2/admin/policy-engine-versions/tool-UBRhHt9iU0DHxwuA',
            outcome: 'succeeded',
            status: 204,
            'request-id': '7f1c2a44-5d0e-4b55-9a0e-3c8f6f0f2b11',
            detail: null,
          },
        },
      ],
      { size: 1, total: 80 },
    ),
    { query: { 'page[size]': '1' } },
  ),
];
