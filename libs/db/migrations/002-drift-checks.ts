import type { Migration } from './migration.ts';

/**
 * When an association was last checked for drift stands beside its lookup keys, which a push does not update: an index
 * there finds the longest unchecked ones of a destination. What was checked before is checked once more.
 */
export const driftChecks: Migration = {
  name: '002-drift-checks',
  compatible: true,
  sql: `
ALTER TABLE association_keys ADD COLUMN drift_checked_at timestamptz;
CREATE INDEX association_keys_drift_check ON association_keys (destination_id, drift_checked_at, association_id);
-- The release after the next one drops it: until then, processes of the former version write it.
COMMENT ON COLUMN associations.drift_checked_at IS 'unused since 002-drift-checks';`,
};
