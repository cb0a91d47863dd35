/**
 * A change of all rows of a destination or a mount is made in batches. Until it is complete, the row of the destination
 * or mount says so.
 */
export const rollouts = {
  name: '019-rollouts',
  sql: `
-- A destination or a mount without a namespace is deleted: nobody finds it there, and what belongs to it is being removed.
ALTER TABLE destinations ALTER COLUMN namespace_id DROP NOT NULL;
ALTER TABLE mounts ALTER COLUMN namespace_id DROP NOT NULL;
-- The namespace of an association is its destination's; it must not keep a namespace whose destinations are deleted.
ALTER TABLE associations DROP CONSTRAINT associations_namespace_id_fkey;
ALTER TABLE destinations
  -- A change has reached the associations with ids up to this one; null: all of them. Nothing is claimed before.
  ADD COLUMN rollout_after bigint,
  -- What becomes of the entries of the others ('follow', 'ask' or 'trust'); null: they stay where they are.
  ADD COLUMN rollout_move text;
CREATE INDEX association_keys_destination ON association_keys (destination_id, association_id);
`,
};
