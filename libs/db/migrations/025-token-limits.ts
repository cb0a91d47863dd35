/** Limits of a token other than its time, and token roles. */
export const tokenLimits = {
  name: '025-token-limits',
  sql: `
ALTER TABLE tokens
  -- The lifetime after each renewal; 0: the token is not periodic.
  ADD COLUMN period_seconds bigint NOT NULL DEFAULT 0,
  -- Null: no limit; 0: used up.
  ADD COLUMN uses_left integer CHECK (uses_left >= 0),
  -- Empty: the token works from every address.
  ADD COLUMN bound_cidrs text[] NOT NULL DEFAULT '{}',
  ADD COLUMN role text,
  -- The path of the request that created the token.
  ADD COLUMN path text NOT NULL DEFAULT 'auth/token/create';
CREATE INDEX tokens_used_up ON tokens (id) WHERE uses_left = 0;

CREATE TABLE token_roles (
  namespace_id text NOT NULL REFERENCES namespaces,
  name text COLLATE "C" NOT NULL,
  settings jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (namespace_id, name)
);
`,
};
