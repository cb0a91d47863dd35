/** Limits of a token other than its time, and token roles. */
export const tokenLimits = {
  name: '025-token-limits',
  sql: `
ALTER TABLE tokens
  -- Each renewal gives so long again; 0: it is not periodic.
  ADD COLUMN period_seconds bigint NOT NULL DEFAULT 0,
  -- Null: any number of times; 0: used up.
  ADD COLUMN uses_left integer CHECK (uses_left >= 0),
  -- Empty: from everywhere.
  ADD COLUMN bound_cidrs text[] NOT NULL DEFAULT '{}',
  ADD COLUMN role text,
  -- The path of the request that made it.
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
