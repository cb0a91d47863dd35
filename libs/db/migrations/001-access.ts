/** Installation, namespaces, tokens and policies. */
export const access = {
  name: '001-access',
  sql: `
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
  created_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO namespaces (id, path) VALUES ('root', '');

CREATE TABLE policies (
  namespace_id text NOT NULL REFERENCES namespaces,
  name text COLLATE "C" NOT NULL,
  document jsonb NOT NULL,
  source text NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
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
  last_used_at timestamptz
);
CREATE INDEX tokens_parent ON tokens (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX tokens_namespace ON tokens (namespace_id);
CREATE INDEX tokens_expiry ON tokens (expires_at) WHERE expires_at IS NOT NULL;
`,
};
