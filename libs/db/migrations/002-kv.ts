/** Mounts, secrets and their versions; only the value of a version is secret, and it is sealed. */
export const kv = {
  name: '002-kv',
  sql: `
CREATE TABLE mounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  namespace_id text NOT NULL REFERENCES namespaces,
  path text COLLATE "C" NOT NULL,
  accessor text NOT NULL UNIQUE,
  uuid uuid NOT NULL DEFAULT gen_random_uuid(),
  version smallint NOT NULL CHECK (version IN (1, 2)),
  description text NOT NULL DEFAULT '',
  config jsonb NOT NULL DEFAULT '{}',
  max_versions integer NOT NULL DEFAULT 0,
  cas_required boolean NOT NULL DEFAULT false,
  delete_version_after_seconds bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (namespace_id, path)
);
INSERT INTO mounts (namespace_id, path, accessor, version, description)
VALUES ('root', 'secret', 'kv_' || substr(md5(gen_random_uuid()::text), 1, 8), 2, 'key/value secret storage');

CREATE TABLE secrets (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  mount_id bigint NOT NULL REFERENCES mounts ON DELETE CASCADE,
  path text COLLATE "C" NOT NULL,
  current_version integer NOT NULL DEFAULT 0,
  oldest_version integer NOT NULL DEFAULT 0,
  max_versions integer NOT NULL DEFAULT 0,
  cas_required boolean NOT NULL DEFAULT false,
  delete_version_after_seconds bigint NOT NULL DEFAULT 0,
  custom_metadata jsonb,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (mount_id, path)
);

CREATE TABLE secret_versions (
  secret_id bigint NOT NULL REFERENCES secrets ON DELETE CASCADE,
  version integer NOT NULL,
  -- The data as JSON, sealed for 'secret_versions/{secret_id}/{version}'; null once destroyed.
  sealed bytea,
  created_at timestamptz NOT NULL DEFAULT now(),
  created_by text,
  -- If it is in the future, the version can be read until then.
  deletion_time timestamptz,
  destroyed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (secret_id, version)
);
CREATE INDEX secret_versions_deleted ON secret_versions (deletion_time) WHERE deletion_time IS NOT NULL;
`,
};
