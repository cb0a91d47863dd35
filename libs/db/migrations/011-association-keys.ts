/**
 * Lookup keys of associations move to a separate table. Every push updates its association twice and changes when it is
 * due, so Postgres would update every index of the table each time; the indexes over paths took a fifth of its time.
 */
export const associationKeys = {
  name: '011-association-keys',
  sql: `
CREATE TABLE association_keys (
  association_id bigint PRIMARY KEY REFERENCES associations ON DELETE CASCADE,
  destination_id bigint NOT NULL REFERENCES destinations,
  mount_id bigint NOT NULL REFERENCES mounts,
  secret_path text COLLATE "C" NOT NULL,
  UNIQUE (destination_id, mount_id, secret_path)
);
INSERT INTO association_keys SELECT id, destination_id, mount_id, secret_path FROM associations;
CREATE INDEX association_keys_secret ON association_keys (mount_id, secret_path);
ALTER TABLE associations
  DROP CONSTRAINT associations_destination_id_mount_id_secret_path_key,
  DROP CONSTRAINT associations_destination_id_fkey,
  DROP CONSTRAINT associations_mount_id_fkey;
DROP INDEX associations_secret;
`,
};
