/**
 * What a destination gets if the newest version of a secret was deleted or has expired: the version before it, or
 * nothing.
 */
export const latestDeleted = {
  name: '016-latest-deleted',
  sql: `
ALTER TABLE destinations ADD COLUMN on_latest_deleted text NOT NULL DEFAULT 'previous';
`,
};
