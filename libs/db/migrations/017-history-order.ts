import type { Migration } from './migration.ts';

/**
 * Attempts arrive in order of time, so retention finds the oldest by their ids. An index of times cost each push a twentieth of
 * what it writes to the log of Postgres.
 */
export const historyOrder: Migration = {
  name: '017-history-order',
  compatible: true,
  sql: `
DROP INDEX sync_history_at;`,
};
