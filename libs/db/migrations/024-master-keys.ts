/** The master keys that have sealed values here, and since when. */
export const masterKeys = {
  name: '024-master-keys',
  sql: `
CREATE TABLE master_keys (
  -- Identifies the key and reveals nothing about it.
  id bytea PRIMARY KEY,
  term integer NOT NULL UNIQUE,
  installed_at timestamptz NOT NULL DEFAULT now()
);
`,
  compatible: true,
};
