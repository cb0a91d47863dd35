/** What a destination gets where the newest version of a secret was deleted or has expired: the version before, or nothing. */
export const latestDeleted = {
  name: '016-latest-deleted',
  sql: `
ALTER TABLE destinations ADD COLUMN on_latest_deleted text NOT NULL DEFAULT 'previous';
`,
};
