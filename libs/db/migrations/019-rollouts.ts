/**
 * A change of all rows of a destination or a mount is made in batches. Until it is complete, the row of the destination
 * or mount says so.
 */
export const rollouts = {
  name: '019-rollouts',
  sql: `
-- A destination or mount without a namespace is deleted: nobody can find it, and a job removes its rows in batches.
ALTER TABLE destinations ALTER COLUMN namespace_id DROP NOT NULL;
ALTER TABLE mounts ALTER COLUMN namespace_id DROP NOT NULL;
-- An association has the namespace of its destination. Its reference must not prevent the deletion of a namespace whose
-- destinations are deleted.
ALTER TABLE associations DROP CONSTRAINT associations_namespace_id_fkey;
ALTER TABLE destinations
  -- The last change has reached the associations up to this id; null: all of them. Workers claim nothing of the destination
  -- until it is null.
  ADD COLUMN rollout_after bigint,
  -- If the change leads to another container: what happens to the entries of the other associations ('follow', 'ask' or
  -- 'trust'). Null: they keep their container.
  ADD COLUMN rollout_move text;
CREATE INDEX association_keys_destination ON association_keys (destination_id, association_id);
`,
};
