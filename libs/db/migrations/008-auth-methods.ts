import type { Migration } from './migration.ts';

/** How machines log in: auth methods with their roles, the credentials of AppRole, and failed log-ins. */
export const authMethods: Migration = {
  name: '008-auth-methods',
  compatible: true,
  sql: `
CREATE TABLE auth_mounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace_id text NOT NULL REFERENCES namespaces,
  path text COLLATE "C" NOT NULL,
  type text NOT NULL,
  accessor text NOT NULL UNIQUE,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  description text NOT NULL,
  -- Lifetimes of tokens, in seconds, and what is stored and returned without an effect.
  tuning jsonb NOT NULL,
  -- How the method verifies a log-in. Holds no secret.
  config jsonb NOT NULL DEFAULT '{}',
  UNIQUE (namespace_id, path)
);

CREATE TABLE auth_roles (
  mount_id bigint NOT NULL REFERENCES auth_mounts ON DELETE CASCADE,
  name text COLLATE "C" NOT NULL,
  settings jsonb NOT NULL,
  -- Only of AppRole: the name by which a machine calls the role. It can be read again.
  role_id text COLLATE "C",
  PRIMARY KEY (mount_id, name),
  UNIQUE (mount_id, role_id)
);

-- The secret half of an AppRole log-in.
CREATE TABLE secret_ids (
  accessor text COLLATE "C" PRIMARY KEY,
  mount_id bigint NOT NULL,
  role_name text COLLATE "C" NOT NULL,
  -- Keyed hash of mount, role and secret.
  hash bytea NOT NULL UNIQUE,
  metadata jsonb NOT NULL,
  -- Where log-ins may come from, and where their tokens may be used; empty: as the role says.
  cidrs text[] NOT NULL,
  token_cidrs text[] NOT NULL,
  -- Null: no limit; 0: used up.
  uses_left integer CHECK (uses_left >= 0),
  ttl_seconds bigint NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz,
  FOREIGN KEY (mount_id, role_name) REFERENCES auth_roles ON DELETE CASCADE
);
CREATE INDEX secret_ids_role ON secret_ids (mount_id, role_name);
CREATE INDEX secret_ids_expiry ON secret_ids (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX secret_ids_used_up ON secret_ids (accessor) WHERE uses_left = 0;

-- The tokens that the log-ins at an auth method gave end with it.
CREATE INDEX tokens_log_in ON tokens (namespace_id, path);

-- The public keys of the issuer of an auth method.
CREATE TABLE auth_key_sets (
  mount_id bigint PRIMARY KEY REFERENCES auth_mounts ON DELETE CASCADE,
  -- Where they are fetched; null: they were given with the configuration.
  source jsonb,
  issuer text,
  keys jsonb NOT NULL,
  fetched_at timestamptz NOT NULL,
  tried_at timestamptz NOT NULL,
  -- Why the last try failed.
  fault text
);

-- Failures are counted until a time; at the limit, log-ins are refused until then.
CREATE TABLE log_in_failures (
  -- Keyed hash of an address, or of a role id with an address.
  key bytea PRIMARY KEY,
  failures integer NOT NULL,
  expires_at timestamptz NOT NULL
);`,
};
