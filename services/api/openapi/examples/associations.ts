import type { Example } from '../example.ts';
import { answers, AT, ends, gives } from './build.ts';
import { nightOfIncidents, row, summary, summaryPage } from '../standing.ts';

const PATH = '/sys/sync/destinations/:type/:name';
const own = { params: { type: 'cloud1-sm', name: 'production' } };
const secret = { mount: 'secret', secret_name: 'app/db' };
const ofSecret = { ...own, body: secret };
const store = { store_name: 'production', store_type: 'cloud1-sm' };

const records = (status: string, attempts: number): object => ({
  ...store,
  associated_secrets: {
    'kv_0f3a91c2/app/db': {
      accessor: 'kv_0f3a91c2',
      ...secret,
      sub_key: '',
      external_name: 'app/db',
      secret_name_template: null,
      sync_status: status,
      updated_at: AT,
      source_version: 3,
      synced_version: 3,
      cause: null,
      drift: null,
      attempts,
      next_attempt_at: null,
    },
  },
});

const attempt = {
  id: 1,
  at: AT,
  sub_key: '',
  external_name: 'app/db',
  action: 'create',
  version: 3,
  version_by: 'root',
  trigger: { cause: 'write', by: 'root' },
  outcome: 'SYNCED',
  cause: null,
  ms: 16,
};

const destinationsOfSecret = {
  associated_destinations: {
    'cloud1-sm/production': {
      type: 'cloud1-sm',
      name: 'production',
      sub_key: '',
      sync_status: 'SYNCED',
      updated_at: AT,
      cause: null,
    },
  },
};

const checked = {
  ok: true,
  cause: null,
  mode: 'static',
  steps: ['credentials', 'permission'],
  step: null,
  ms: 212,
};

/** Secrets linked to destinations. */
export const associationsExamples: Example[] = [
  gives(`POST ${PATH}/check`, 'Try its credentials', checked, own),
  gives(`POST ${PATH}/check`, 'Try others before they are stored', checked, {
    ...own,
    body: { access_key_id: 'EXAMPLEKEYID', secret_access_key: 'example-value' },
  }),
  gives(
    `POST ${PATH}/preview`,
    'The names that a template would give',
    {
      names: [
        { ...secret, sub_key: '', external_name: 'prod/app/db', secret_name_template: null, fault: null },
      ],
    },
    { ...own, body: { secret_name_template: 'prod/{{ .SecretPath }}', secrets: [secret] } },
  ),
  gives(
    `POST ${PATH}/plan`,
    'What another template would do, with a look at the store',
    {
      ...store,
      secrets: [
        {
          ...secret,
          source_version: 3,
          is_fallback: false,
          planned: [{ sub_key: '', external_name: 'prod/app/db', action: 'create', reason: null }],
          error: null,
        },
      ],
      totals: { create: 1 },
      next_after: null,
      look: { entries: 1, unknown: 0, cause: null, causes: [] },
    },
    {
      ...own,
      body: {
        destination: { secret_name_template: 'prod/{{ .SecretPath }}' },
        secrets: [secret],
        look: true,
      },
    },
  ),
  gives(
    `POST ${PATH}/associations/plan`,
    'What it would write',
    {
      ...store,
      ...secret,
      source_version: 3,
      is_fallback: false,
      planned: [{ sub_key: '', external_name: 'app/db', action: 'create', reason: null }],
      look: null,
    },
    ofSecret,
  ),
  answers(
    `POST ${PATH}/associations/withdraw`,
    'It is not linked',
    { errors: ['the secret is not associated with this destination'] },
    { ...ofSecret, status: 404 },
  ),
  gives(`POST ${PATH}/associations/set`, 'Link a secret', records('SYNCED', 1), ofSecret),
  gives(
    `POST ${PATH}/associations/set-many`,
    'Link several',
    {
      ...store,
      secrets: [{ ...secret, outcome: 'refreshed', error: null }],
      totals: { refreshed: 1 },
      next_after: null,
    },
    { ...own, body: { secrets: [secret] } },
  ),
  gives(
    `GET ${PATH}/associations`,
    'Read them',
    { ...records('SYNCED', 1), next_after: null },
    { ...own, query: { limit: '100' } },
  ),
  gives(
    `GET ${PATH}/associations/rows`,
    'One row each, with what makes every page reachable',
    { ...store, rows: [row], next_after: null, total: 1, anchors: [] },
    { ...own, query: { anchors: 'true', status: 'SYNCED' } },
  ),
  gives(
    `POST ${PATH}/associations/retry`,
    'Nothing fails',
    { retried: 0 },
    { ...own, body: { status: ['CLIENT_SIDE_ERROR'], cause: 'credentials_refused' } },
  ),
  gives('GET /sys/sync/summary', 'All is in sync', summary),
  gives('GET /sys/sync/incidents', 'What happened in a night', nightOfIncidents, {
    query: { since: '2026-01-14T20:00:00Z', until: '2026-01-15T08:00:00Z' },
  }),
  gives(`GET ${PATH}/incidents`, 'What happened at one destination', nightOfIncidents, own),
  gives('GET /sys/sync/summary/destinations', 'Those in sync', summaryPage, { query: { status: 'SYNCED' } }),
  gives(
    `POST ${PATH}/associations/verify`,
    'Compare',
    { ...store, entries: [{ sub_key: '', external_name: 'app/db', state: 'in_sync', cause: null }] },
    ofSecret,
  ),
  gives(
    `GET ${PATH}/associations/history`,
    'What was tried',
    { ...store, history: [attempt] },
    { ...own, query: secret },
  ),
  gives('GET /sys/sync/links', 'Which secret is where?', {
    links: [
      {
        namespace: '',
        ...secret,
        type: 'cloud1-sm',
        store: 'AWS Secrets Manager',
        destination: 'prod',
        external_names: ['app/db'],
        sync_status: 'SYNCED',
        cause: null,
        since: null,
        updated_at: row.updated_at,
      },
    ],
    next_after: null,
  }),
  gives('LIST /sys/sync/associations', 'List linked secrets', {
    keys: ['secret/app/db'],
    key_info: { 'secret/app/db': [{ mount: 'secret/', secret_path: 'app/db' }] },
    total_associations: 1,
    total_secrets: 1,
  }),
  gives('GET /sys/sync/associations/destinations', 'Where a secret goes', destinationsOfSecret, {
    query: secret,
  }),
  gives('GET /sys/sync/associations/*secret', 'Where a secret goes', destinationsOfSecret, {
    params: { secret: 'secret/app/db' },
  }),
  gives(`POST ${PATH}/associations/remove`, 'Unlink it', records('UNSYNCING', 0), ofSecret),
  gives(
    `POST ${PATH}/associations/remove-many`,
    'Unlink several',
    {
      ...store,
      secrets: [{ ...secret, outcome: 'absent', error: null }],
      totals: { absent: 1 },
      next_after: null,
    },
    { ...own, body: { secrets: [secret] } },
  ),
  gives(
    `GET ${PATH}/history`,
    'Who changed it',
    {
      ...store,
      history: [
        {
          id: 7,
          at: AT,
          actor: 'ana',
          address: '192.0.2.7',
          action: 'unlink',
          outcome: 'succeeded',
          status: 200,
          detail: { absent: 1 },
        },
      ],
    },
    { ...own, query: { limit: '1' } },
  ),
  gives(
    `GET ${PATH}/attempts`,
    'What was written to it',
    { ...store, attempts: [{ ...attempt, ...secret }], next_before: 1 },
    { ...own, query: { limit: '1' } },
  ),
  ends('DELETE /sys/sync/destinations/cloud1-sm/:name', 'Delete it and leave what is outside', {
    params: { name: 'production' },
    query: { force_delete: 'true' },
  }),
];
