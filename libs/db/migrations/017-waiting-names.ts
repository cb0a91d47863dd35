/** Finds the associations that wait for a name, once that name is free. */
export const waitingNames = {
  name: '017-waiting-names',
  sql: `
CREATE INDEX entries_wanted ON entries (place, wanted_key) WHERE wanted_key IS NOT NULL;
`,
  compatible: true,
};
