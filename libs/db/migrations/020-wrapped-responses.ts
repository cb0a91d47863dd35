/** Sealed responses that can be fetched once, each with its own token; they are deleted with the token. */
export const wrappedResponses = {
  name: '020-wrapped-responses',
  sql: `
CREATE TABLE wrapped_responses (
  token_accessor text PRIMARY KEY REFERENCES tokens (accessor) ON DELETE CASCADE,
  creation_path text NOT NULL,
  -- The accessor of the token in the response; empty if the response has no token.
  wrapped_accessor text NOT NULL,
  -- The response, sealed for 'wrapped_responses/{token_accessor}'.
  sealed bytea NOT NULL
);
`,
  compatible: true,
};
