/** Makes frequent updates cheaper: fewer indexes to maintain, and room on the page for the new version of a row. */
export const updates = {
  name: '010-updates',
  sql: `
-- A namespace's associations are found by its mounts.
DROP INDEX associations_namespace;
-- Where the page has room, a row whose keys stay the same needs no new place in any index.
ALTER TABLE entries SET (fillfactor = 80);
ALTER TABLE secrets SET (fillfactor = 80);
`,
  compatible: true,
};
