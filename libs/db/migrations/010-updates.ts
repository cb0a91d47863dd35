/** Makes frequent updates cheaper: fewer indexes to maintain, and room on the page for the new version of a row. */
export const updates = {
  name: '010-updates',
  sql: `
-- The mounts of a namespace lead to its associations, so this index is not needed.
DROP INDEX associations_namespace;
-- If the page has free space and no indexed column changes, Postgres updates a row without a write to any index (HOT).
ALTER TABLE entries SET (fillfactor = 80);
ALTER TABLE secrets SET (fillfactor = 80);
`,
  compatible: true,
};
