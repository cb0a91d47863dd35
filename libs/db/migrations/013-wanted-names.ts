/**
 * The name that an entry waits for while another entry holds it. With it, entries that wait for each other can swap
 * names.
 */
export const wantedNames = {
  name: '013-wanted-names',
  sql: `
ALTER TABLE entries ADD COLUMN wanted_key text COLLATE "C";
`,
};
