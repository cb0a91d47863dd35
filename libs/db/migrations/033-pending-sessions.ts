/** Console logins at the identity provider: only the browser that began one gets its session. */
export const pendingSessions = {
  name: '033-pending-sessions',
  sql: `
-- Keyed hash of what the browser that asked keeps in a cookie; null where the answer gives a token.
ALTER TABLE saml_requests ADD COLUMN nonce_hash bytea;

CREATE TABLE pending_sessions (
  nonce_hash bytea PRIMARY KEY,
  -- The token that is made once the browser asks for it.
  token jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
`,
  compatible: true,
};
