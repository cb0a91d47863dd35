import {
  COLLECTIONS,
  type Collection,
} from '../../../../libs/store/policy-engine-versions/policy-engine-versions.ts';
import type { Example } from '../example.ts';
import { answers, AT, documentOf, ends, firstPage, META } from './build.ts';

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
const meta = { meta: META };
const own = { params: { id: '<version id>' } };
const usage = { params: { id: '<version id>', kind: 'workspaces', usageId: 'ws-example' } };

function examplesOf(type: Collection): Example[] {
  const path = `/api/v2/admin/${type}`;
  return [
    answers(`POST ${path}`, 'Add one', documentOf('<version id>', type, attributes, meta), {
      body: { data: { type, attributes: { version: '1.2.3', ...binary } } },
      status: 201,
      keep: { 'version id': 'data.id' },
    }),
    answers(
      `GET ${path}`,
      'List them',
      firstPage(path, [{ id: '<version id>', type, attributes, ...meta }], { size: 20, total: 1 }),
      { query: { 'page[size]': '20' } },
    ),
    answers(`GET ${path}/:id`, 'Read one', documentOf('<version id>', type, attributes, meta), own),
    answers(
      `PATCH ${path}/:id`,
      'Deprecate it',
      documentOf('<version id>', type, { ...attributes, ...deprecated }, meta),
      { ...own, body: { data: { type, attributes: deprecated } } },
    ),
    ends(`PUT ${path}/:id/usages/:kind/:usageId`, 'A workspace uses it', usage),
    ends(`DELETE ${path}/:id/usages/:kind/:usageId`, 'No longer', usage),
    ends(`DELETE ${path}/:id`, 'Delete it', own),
  ];
}

/** Versions of policy engines, and what was changed. */
export const policyEngineVersionExamples: Example[] = [
  ...COLLECTIONS.flatMap(examplesOf),
  answers(
    'GET /api/v2/admin/audit-events',
    'The last change',
    {
      data: [
        {
          id: '80',
          type: 'audit-events',
          attributes: {
            at: AT,
            user: 'ana@example.com',
            actor: 'saml-ana@example.com',
            accessor: 'ou5kZDcPM4uVYDlrgziDV5LH',
            'auth-method': 'saml',
            policies: ['default', 'site-admin'],
            address: '192.0.2.17',
            namespace: '',
            action: 'DELETE /api/v2/admin/sentinel-versions/:id',
            path: 'api/v2/admin/sentinel-versions/tool-UBRhHt9iU0DHxwuA',
            secret: null,
            outcome: 'succeeded',
            status: 204,
            'request-id': '7f1c2a44-5d0e-4b55-9a0e-3c8f6f0f2b11',
            detail: null,
          },
        },
      ],
      links: {
        self: '/api/v2/admin/audit-events?page%5Bsize%5D=1',
        first: '/api/v2/admin/audit-events?page%5Bsize%5D=1',
        next: '/api/v2/admin/audit-events?page%5Bsize%5D=1&page%5Bafter%5D=80',
      },
      meta: { pagination: { 'page-size': 1, 'next-after': '80' }, 'kept-days': 365 },
    },
    { query: { 'page[size]': '1' } },
  ),
  answers(
    'GET /api/v2/admin/audit-events/names',
    'Persons whose name contains a text',
    { data: ['ana@example.com'] },
    { query: { of: 'user', contains: 'ana' } },
  ),
];
