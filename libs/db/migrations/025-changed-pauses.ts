import type { Migration } from './migration.ts';

/** When a pause got another reason or end while it lasted; null: never. Who did that is in `paused_by` and `disabled_by`. */
export const changedPauses: Migration = {
  name: '025-changed-pauses',
  compatible: true,
  sql: `
ALTER TABLE destinations ADD COLUMN pause_changed_at timestamptz;
ALTER TABLE sync_config ADD COLUMN disabled_changed_at timestamptz;`,
};
