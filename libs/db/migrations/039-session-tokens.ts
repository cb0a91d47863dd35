/** Whether a token may read values of secrets: one that was made in a browser session may not, as the session may not. */
export const sessionTokens = {
  name: '039-session-tokens',
  sql: `
ALTER TABLE tokens ADD COLUMN reads_values boolean NOT NULL DEFAULT true;
`,
  compatible: true,
};
