import type { Migration } from './migration.ts';

/** The GitHub Apps that destinations sign in as. Processes of the version before know none. */
export const githubApps: Migration = {
  name: '009-github-apps',
  compatible: true,
  sql: `
CREATE TABLE github_apps (
  namespace_id text NOT NULL REFERENCES namespaces,
  name text COLLATE "C" NOT NULL,
  -- The number that GitHub gave it.
  app_id bigint NOT NULL,
  -- Null: github.com.
  enterprise_url text,
  -- Sealed for \`github_apps/{namespace_id}/{name}\`.
  sealed_private_key bytea NOT NULL,
  fingerprint text NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  changed_at timestamptz NOT NULL DEFAULT now(),
  changed_by text,
  PRIMARY KEY (namespace_id, name)
);`,
};
