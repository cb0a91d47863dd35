/** Settings documents, the retention policy, the state of single sign-on, and the counters of the rate limit. */
export const settingsTables = `
CREATE TABLE settings (
  kind text PRIMARY KEY,
  -- Only attributes that were set; reading fills in the defaults. json, not jsonb: HTML must read back byte by byte.
  attributes json NOT NULL DEFAULT '{}',
  -- The sensitive attributes as JSON, sealed for 'settings/{kind}'; null if none is set.
  sealed bytea,
  -- Each change increments it. A change is stored only if the row still has the revision that the change started from.
  revision bigint NOT NULL DEFAULT 1,
  updated_at timestamptz NOT NULL DEFAULT now(),
  changed_by text
);

CREATE TABLE retention_policy (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  id text NOT NULL,
  delete_older_than_days integer NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Login requests that were sent to the identity provider. Each can be answered once.
CREATE TABLE saml_requests (
  id text PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  -- Keyed hash of the cookie of the browser that began the login; null if the login ends with a token.
  nonce_hash bytea
);
CREATE INDEX saml_requests_expiry ON saml_requests (expires_at);

-- The hashes of the ids of used assertions. A row stays until its assertion expires, so that nobody can use it again.
CREATE TABLE saml_assertions (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);
CREATE INDEX saml_assertions_expiry ON saml_assertions (expires_at);

-- Console logins at the identity provider: only the browser that began one gets its session.
CREATE TABLE pending_sessions (
  nonce_hash bytea PRIMARY KEY,
  -- Describes the token, which is created when the browser fetches its session.
  token jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);

-- "expire" is in milliseconds since 1970. The table is unlogged: if a crash empties it, one second of counting is lost.
CREATE UNLOGGED TABLE rate_limits (
  key varchar(255) PRIMARY KEY,
  points integer NOT NULL DEFAULT 0,
  expire bigint
);
`;
