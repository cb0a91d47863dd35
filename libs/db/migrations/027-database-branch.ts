/** Identifies this history of the database: the first process that reaches a promoted server gives it a new id. */
export const databaseBranch = {
  name: '027-database-branch',
  sql: `
CREATE TABLE database_branch (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- The server that the row was written on; null until the first process connects.
  system text,
  timeline integer,
  -- Random, because two promoted standbys can have the same timeline.
  id uuid NOT NULL DEFAULT gen_random_uuid(),
  began_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO database_branch DEFAULT VALUES;
`,
  compatible: true,
};
