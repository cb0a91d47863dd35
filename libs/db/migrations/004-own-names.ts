import type { Migration } from './migration.ts';

/**
 * An association may have a template of its own for the names of its entries. Workers of the version before do not see it
 * and use the template of the destination, so it holds only where all workers are new.
 */
export const ownNames: Migration = {
  name: '004-own-names',
  compatible: true,
  sql: `
-- Null: the template of the destination applies.
ALTER TABLE associations ADD COLUMN secret_name_template text;`,
};
