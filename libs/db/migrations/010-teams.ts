import type { Migration } from './migration.ts';

/** The policies of teams: what people get when they sign in, by the teams that the identity provider names. */
export const teams: Migration = {
  name: '010-teams',
  compatible: true,
  sql: `
CREATE TABLE teams (
  namespace_id text NOT NULL REFERENCES namespaces,
  -- As the identity provider writes it.
  name text COLLATE "C" NOT NULL,
  policies text[] NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now(),
  changed_by text,
  PRIMARY KEY (namespace_id, name)
);

-- The path of the namespace in which the person who began the log-in wants to sign in; null: the root namespace. It may not exist.
ALTER TABLE saml_requests ADD COLUMN namespace text;`,
};
