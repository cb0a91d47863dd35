import type { Migration } from './migration.ts';

/** The entry that a line of the history is about: after a change of its name, the ledger forgets the former one. */
export const historyEntries: Migration = {
  name: '022-history-entries',
  compatible: true,
  sql: `
ALTER TABLE sync_history ADD COLUMN external_name text;`,
};
