import type { Migration } from './migration.ts';

/**
 * When a pause of syncing as a whole ends by itself. Processes of the version before see no end, so until all are new it
 * lasts until somebody resumes.
 */
export const wholePauses: Migration = {
  name: '015-whole-pauses',
  compatible: true,
  sql: `
ALTER TABLE sync_config ADD COLUMN disabled_until timestamptz;`,
};
