import type { Migration } from './migration.ts';

/** Which database the installation lives in, so that a restored copy is noticed before it writes to the stores of the original. */
export const databaseHome: Migration = {
  name: '011-database-home',
  compatible: true,
  sql: `
ALTER TABLE database_branch
  -- The id of the database; null until the first process of this version starts.
  ADD COLUMN home text,
  -- The last loss was that the installation came here from another database.
  ADD COLUMN is_copy boolean NOT NULL DEFAULT false;`,
};
