/** What each token keeps for itself; it is deleted with the token. */
export const cubbyhole = {
  name: '037-cubbyhole',
  sql: `
CREATE TABLE cubbyhole (
  token_id bigint NOT NULL REFERENCES tokens ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  -- The JSON of the value, sealed for 'cubbyhole/{token_id}/{path}'.
  sealed bytea NOT NULL,
  PRIMARY KEY (token_id, path)
);
`,
  compatible: true,
};
