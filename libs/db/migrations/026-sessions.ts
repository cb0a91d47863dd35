/** Browser sessions, and since when an association, an entry or a destination fails. */
export const sessions = {
  name: '026-sessions',
  sql: `
CREATE TABLE sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Keyed hash of the cookie's secret.
  hash bytea NOT NULL UNIQUE,
  -- A session ends with its token.
  token_id bigint NOT NULL REFERENCES tokens ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Requests that a page sends by itself do not count.
  last_used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_token ON sessions (token_id);

-- When the current series of failures began; null if there is none, or if it began before this step.
ALTER TABLE associations ADD COLUMN failing_since timestamptz;
ALTER TABLE entries ADD COLUMN failing_since timestamptz;
ALTER TABLE destinations ADD COLUMN failing_since timestamptz;
`,
  compatible: true,
};
