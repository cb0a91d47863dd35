/** The name that an entry waits for while another one holds it; with it, entries that wait for each other can change places. */
export const wantedNames = {
  name: '013-wanted-names',
  sql: `
ALTER TABLE entries ADD COLUMN wanted_key text COLLATE "C";
`,
};
