import type { Migration } from './migration.ts';

/** The incidents of a deleted destination are found by its name. */
export const goneNames: Migration = {
  name: '024-gone-names',
  compatible: true,
  sql: `
CREATE INDEX gone_destinations_name ON gone_destinations (type, name);`,
};
