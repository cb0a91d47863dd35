import type { Migration } from './migration.ts';

/** Whether a change of a destination leaves what people decided about entries. Null: it does not, or none is under way. */
export const keptDecisions: Migration = {
  name: '027-kept-decisions',
  compatible: true,
  sql: `
ALTER TABLE destinations ADD COLUMN rollout_keeps boolean;`,
};
