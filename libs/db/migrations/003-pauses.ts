import type { Migration } from './migration.ts';

/**
 * Who paused a destination, or syncing as a whole, since when and why. Workers of the version before do not see the pause
 * of a destination, so it holds only where all workers are new.
 */
export const pauses: Migration = {
  name: '003-pauses',
  compatible: true,
  sql: `
ALTER TABLE destinations
  ADD COLUMN paused_at timestamptz, ADD COLUMN paused_by text, ADD COLUMN pause_reason text,
  -- The pause ends by itself at this time; null: it lasts until somebody resumes.
  ADD COLUMN paused_until timestamptz;
ALTER TABLE sync_config
  ADD COLUMN disabled_at timestamptz, ADD COLUMN disabled_by text, ADD COLUMN disabled_reason text;`,
};
