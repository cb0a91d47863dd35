import type { Migration } from './migration.ts';

/** Who made the change that a rollout carries to all associations: not always who changed the destination last. */
export const rolloutAuthors: Migration = {
  name: '023-rollout-authors',
  compatible: true,
  sql: `
ALTER TABLE destinations ADD COLUMN rollout_by text;`,
};
