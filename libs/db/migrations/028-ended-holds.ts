import type { Migration } from './migration.ts';

/**
 * When what held back all pushes to a destination ended last, and what it was: `paused`, or the code of a failure of the whole
 * destination. Of the pause of the installation only when. Null: nothing has ended since this was recorded.
 */
export const endedHolds: Migration = {
  name: '028-ended-holds',
  compatible: true,
  sql: `
ALTER TABLE destinations ADD COLUMN freed_at timestamptz, ADD COLUMN freed_from text;
ALTER TABLE sync_config ADD COLUMN resumed_at timestamptz;`,
};
