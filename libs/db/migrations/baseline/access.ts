/** Installation, namespaces, policies, tokens, and what ends with its token. */
export const accessTables = `
CREATE TABLE installation (
  only_one boolean PRIMARY KEY DEFAULT true CHECK (only_one),
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  sealed_hash_key bytea,
  bootstrapped_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO installation DEFAULT VALUES;

CREATE TABLE namespaces (
  id text PRIMARY KEY,
  path text COLLATE "C" NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  custom_metadata jsonb NOT NULL DEFAULT '{}'
);
INSERT INTO namespaces (id, path) VALUES ('root', '');

CREATE TABLE policies (
  namespace_id text NOT NULL REFERENCES namespaces,
  name text COLLATE "C" NOT NULL,
  document jsonb NOT NULL,
  source text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  revision bigint NOT NULL DEFAULT 1,
  changed_by text,
  PRIMARY KEY (namespace_id, name)
);

CREATE TABLE tokens (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash bytea NOT NULL UNIQUE,
  accessor text NOT NULL UNIQUE,
  namespace_id text NOT NULL REFERENCES namespaces,
  -- Revoking a token also revokes the tokens that were made with it. Null for an orphan token.
  parent_id bigint REFERENCES tokens ON DELETE CASCADE,
  display_name text NOT NULL,
  policies text[] NOT NULL,
  meta jsonb,
  renewable boolean NOT NULL DEFAULT true,
  ttl_seconds bigint NOT NULL DEFAULT 0,
  explicit_max_ttl_seconds bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  last_used_at timestamptz,
  -- The lifetime after each renewal; 0: the token is not periodic.
  period_seconds bigint NOT NULL DEFAULT 0,
  -- Null: no limit; 0: used up.
  uses_left integer CHECK (uses_left >= 0),
  -- Empty: the token works from every address.
  bound_cidrs text[] NOT NULL DEFAULT '{}',
  role text,
  -- The path of the request that created the token.
  path text NOT NULL DEFAULT 'auth/token/create',
  -- False for a token that was made in a browser session: such a session reads no values of secrets either.
  reads_values boolean NOT NULL DEFAULT true
);
CREATE INDEX tokens_parent ON tokens (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX tokens_namespace ON tokens (namespace_id);
CREATE INDEX tokens_expiry ON tokens (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX tokens_used_up ON tokens (id) WHERE uses_left = 0;

CREATE TABLE token_roles (
  namespace_id text NOT NULL REFERENCES namespaces,
  name text COLLATE "C" NOT NULL,
  settings jsonb NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (namespace_id, name)
);

-- What each token keeps for itself.
CREATE TABLE cubbyhole (
  token_id bigint NOT NULL REFERENCES tokens ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  -- The JSON of the value, sealed for 'cubbyhole/{token_id}/{path}'.
  sealed bytea NOT NULL,
  PRIMARY KEY (token_id, path)
);

-- Sealed responses that can be fetched once, each with its own token.
CREATE TABLE wrapped_responses (
  token_accessor text PRIMARY KEY REFERENCES tokens (accessor) ON DELETE CASCADE,
  creation_path text NOT NULL,
  -- The accessor of the token in the response; empty if the response has no token.
  wrapped_accessor text NOT NULL,
  -- The response, sealed for 'wrapped_responses/{token_accessor}'.
  sealed bytea NOT NULL,
  -- The token that it was made for, so that a token cannot store any number of them. Null: it is not known, or the token is
  -- gone. The response outlives the token.
  owner_id bigint REFERENCES tokens ON DELETE SET NULL,
  -- The secret in the response, which the audit trail names when it is fetched.
  secret text,
  mount_id bigint,
  secret_path text
);
CREATE INDEX wrapped_responses_owner ON wrapped_responses (owner_id) WHERE owner_id IS NOT NULL;

-- Browser sessions.
CREATE TABLE sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Keyed hash of the cookie's secret.
  hash bytea NOT NULL UNIQUE,
  token_id bigint NOT NULL REFERENCES tokens ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Requests that a page sends by itself do not count.
  last_used_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_token ON sessions (token_id);
`;
