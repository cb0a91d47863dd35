/** Releases of several policy engines, each in its own collection. */
export const versionCollections = {
  name: '018-version-collections',
  sql: `
ALTER TABLE policy_engine_versions
  ADD COLUMN collection text COLLATE "C" NOT NULL DEFAULT 'policy-engine-versions',
  DROP CONSTRAINT policy_engine_versions_version_key,
  ADD UNIQUE (collection, version);
DROP INDEX policy_engine_versions_order;
CREATE INDEX policy_engine_versions_order
  ON policy_engine_versions (collection, major DESC, minor DESC, patch DESC, suffix_order DESC, id DESC);
`,
  compatible: true,
};
