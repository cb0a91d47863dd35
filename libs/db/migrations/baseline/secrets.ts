/** Mounts, secrets and their versions; only the value of a version is secret, and it is sealed. */
export const secretsTables = `
CREATE TABLE mounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Null: the mount is deleted. Nobody can find it, and a job removes its rows in batches.
  namespace_id text REFERENCES namespaces,
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
  -- The last move: its id, and the former path, which begins at the root namespace.
  move_id uuid UNIQUE,
  moved_from text,
  local boolean NOT NULL DEFAULT false,
  seal_wrap boolean NOT NULL DEFAULT false,
  -- Whether the version was given explicitly; such a mount shows it in answers.
  names_version boolean NOT NULL DEFAULT true,
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
  last_updated_by text,
  UNIQUE (mount_id, path)
  -- If the page has free space and no indexed column changes, Postgres updates a row without a write to any index (HOT).
) WITH (fillfactor = 80);

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
  deleted_by text,
  PRIMARY KEY (secret_id, version)
);
CREATE INDEX secret_versions_deleted ON secret_versions (deletion_time) WHERE deletion_time IS NOT NULL;
`;
