import type { Migration } from './migration.ts';

/**
 * Finds the attempts at one destination, the newest first. Building an index keeps all from writing to the table, so a large
 * history is indexed where nobody writes any more: new lines go to another partition first.
 */
export const destinationAttempts: Migration[] = [
  {
    name: '026-partition-for-attempts',
    compatible: true,
    sql: `
DO $$
BEGIN
  IF EXISTS (SELECT FROM sync_history OFFSET 250000) THEN
    PERFORM start_partition('sync_history');
  END IF;
END
$$;`,
  },
  {
    name: '026-index-of-old-attempts',
    compatible: true,
    sql: `
DO $$
DECLARE
  part regclass;
BEGIN
  FOR part IN SELECT inhrelid FROM pg_inherits WHERE inhparent = 'sync_history'::regclass
    ORDER BY substring(inhrelid::regclass::text FROM '\\d+$')::bigint DESC OFFSET 2
  LOOP
    EXECUTE format('CREATE INDEX %I ON %s (destination_id, id)', part || '_of_destination', part);
  END LOOP;
END
$$;`,
  },
  {
    name: '026-index-of-attempts',
    compatible: true,
    // Takes what the step before has made, so only the partitions that have next to nothing get theirs now.
    sql: `
CREATE INDEX sync_history_of_destination ON sync_history (destination_id, id);`,
  },
];
