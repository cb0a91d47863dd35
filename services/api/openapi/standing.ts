import { AT } from './examples/build.ts';

/** An association as a row. */
export const row = {
  mount: 'secret',
  accessor: 'kv_0f3a91c2',
  secret_name: 'app/db',
  sync_status: 'SYNCED',
  cause: null,
  scope: 'association',
  since: null,
  next_attempt_at: null,
  updated_at: AT,
  attempts: 0,
  source_version: 3,
  synced_version: 3,
  entries: 1,
  entries_in_sync: 1,
  external_name: 'app/db',
};

/** The status of everything. */
export const summary = {
  disabled: false,
  paused: null,
  total: 1,
  by_status: { SYNCED: 1 },
  problem_count: 0,
  problems: [],
  destination_count: 1,
  destinations: [
    {
      store_name: 'production',
      store_type: 'cloud1-sm',
      namespace: '',
      total: 1,
      by_status: { SYNCED: 1 },
      oldest_due_at: null,
      unclaimed_since: null,
      throttled_until: null,
      held: null,
      paused: null,
      purge_initiated_at: null,
      purge_error: null,
      problems: [],
    },
  ],
};

/** A page of destinations. */
export const summaryPage = { total: 1, groups: [], destinations: summary.destinations };

/** What happened in a night. */
export const nightOfIncidents = {
  incidents: [
    {
      id: 1,
      destination: { type: 'cloud1-sm', name: 'production', deleted: false },
      cause: { class: 'EXTERNAL_SERVICE_ERROR', code: 'unavailable', message: 'the store answered 503' },
      opened_at: AT,
      changed_at: AT,
      closed_at: AT,
      associations: 0,
      most: 12,
      example: { mount: 'secret', secret_name: 'app/db' },
      ended: 'itself',
      ended_by: null,
      ended_after: { cause: 'schedule', version: 4 },
      told: [{ rule: 'on-call', deleted: false, at: AT, earlier: false }],
    },
  ],
  next_after: null,
};
