import type { Migration } from './migration.ts';

/** Log-ins count from their beginning, so that many at once are not more guesses than one after the other. */
export const openLogIns: Migration = {
  name: '013-open-log-ins',
  compatible: true,
  sql: `
ALTER TABLE log_in_failures
  -- Log-ins that have begun and whose outcome is unknown.
  ADD COLUMN open integer NOT NULL DEFAULT 0,
  -- Until then they count: a process may end before the log-ins that it has begun.
  ADD COLUMN open_until timestamptz;`,
};
