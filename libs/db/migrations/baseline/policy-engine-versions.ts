/** Versions of the policy engines, each in its collection, and their usages. */
export const policyEngineVersionTables = `
CREATE TABLE policy_engine_versions (
  id text COLLATE "C" PRIMARY KEY,
  version text COLLATE "C" NOT NULL,
  -- The parts of the version, so that an index has the order; each number can be as large as 2^63 - 1.
  major bigint NOT NULL,
  minor bigint NOT NULL,
  patch bigint NOT NULL,
  suffix_order text COLLATE "C" NOT NULL,
  -- [{url, sha, os, arch}] in the order of the request. The linux/amd64 entry also gives the version's own url and sha.
  archs jsonb NOT NULL,
  deprecated boolean NOT NULL,
  deprecated_reason text,
  official boolean NOT NULL,
  enabled boolean NOT NULL,
  beta boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  collection text COLLATE "C" NOT NULL DEFAULT 'policy-engine-versions',
  revision bigint NOT NULL DEFAULT 1,
  changed_by text,
  UNIQUE (collection, version)
);
CREATE INDEX policy_engine_versions_order
  ON policy_engine_versions (collection, major DESC, minor DESC, patch DESC, suffix_order DESC, id DESC);

-- The foreign key prevents the deletion of a version in use, also while a usage is being added.
CREATE TABLE policy_engine_version_usages (
  version_id text COLLATE "C" NOT NULL REFERENCES policy_engine_versions ON DELETE RESTRICT,
  kind text NOT NULL CHECK (kind IN ('workspaces', 'policy-sets')),
  usage_id text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (version_id, kind, usage_id)
);
`;
