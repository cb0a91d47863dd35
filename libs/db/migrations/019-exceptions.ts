import type { Migration } from './migration.ts';

/** Indexes for the summary: most destinations have nothing but links in sync, and no change is on its way to them. */
export const exceptions: Migration = {
  name: '019-exceptions',
  compatible: true,
  sql: `
CREATE INDEX association_counts_exceptions ON association_counts (destination_id) WHERE kind <> 'all';
CREATE INDEX destinations_moving ON destinations (namespace_id) WHERE rollout_after IS NOT NULL;`,
};
