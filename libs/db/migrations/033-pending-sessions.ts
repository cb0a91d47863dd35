/** Console logins at the identity provider: only the browser that began one gets its session. */
export const pendingSessions = {
  name: '033-pending-sessions',
  sql: `
-- Keyed hash of the cookie of the browser that began the login; null if the login ends with a token.
ALTER TABLE saml_requests ADD COLUMN nonce_hash bytea;

CREATE TABLE pending_sessions (
  nonce_hash bytea PRIMARY KEY,
  -- Describes the token, which is created when the browser fetches its session.
  token jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
`,
  compatible: true,
};
