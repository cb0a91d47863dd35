/** Which token each wrapped response was made for, so that a token cannot store any number of them. */
export const wrappingOwners = {
  name: '038-wrapping-owners',
  sql: `
-- Null: it is not known, or the token is gone. The response outlives the token.
ALTER TABLE wrapped_responses ADD COLUMN owner_id bigint REFERENCES tokens ON DELETE SET NULL;
CREATE INDEX wrapped_responses_owner ON wrapped_responses (owner_id) WHERE owner_id IS NOT NULL;
`,
  compatible: true,
};
