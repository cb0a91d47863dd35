/** Settings documents, the retention policy, the state of single sign-on, and the counters of the rate limit. */
export const settings = {
  name: '004-settings',
  sql: `
CREATE TABLE settings (
  kind text PRIMARY KEY,
  -- Only what was ever set; defaults are filled in when read. json, not jsonb: HTML must come back byte by byte.
  attributes json NOT NULL DEFAULT '{}',
  -- The sensitive attributes as JSON, sealed for 'settings/{kind}'; null where none is set.
  sealed bytea,
  -- Bumped by every change; a change is stored only over the revision it was made from.
  revision bigint NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE retention_policy (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  id text NOT NULL,
  delete_older_than_days integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Requests for a login that were sent to the identity provider; each may be answered once.
CREATE TABLE saml_requests (
  id text PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- Assertions that were used, by the hash of their id, for as long as they would be valid.
CREATE TABLE saml_assertions (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

-- When a count expires is in milliseconds since 1970. Losing it in a crash costs a second of counting.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`,
};
