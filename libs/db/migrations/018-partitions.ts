import type { Migration } from './migration.ts';

const TABLES = "ARRAY['sync_history', 'audit_events']";

// The ids that one partition may have: more than any installation draws until a job starts the next partition.
const IDS = 1_000_000_000;

/**
 * Partitions of the history and of the audit trail, so that retention drops what is old as a whole. They are ranges of ids:
 * ids grow with time, every list is in their order and goes on from one, and a key of time would have to be part of every
 * unique key. A job starts a partition by moving the sequence of ids to its first one, so that each holds a span of time.
 *
 * Three steps, as the check that Postgres needs before it takes a table as a partition reads it once, which no lock may
 * outlast.
 */
export const partitions: Migration[] = [
  {
    name: '018-bounds-of-ids',
    compatible: true,
    // One range more than what is left of this one: whoever stops here still has room for years.
    sql: `
DO $$
DECLARE
  parent text;
  last bigint;
BEGIN
  FOREACH parent IN ARRAY ${TABLES} LOOP
    last := coalesce(pg_sequence_last_value(pg_get_serial_sequence(parent, 'id')::regclass), 0);
    EXECUTE format('ALTER TABLE %I ADD CONSTRAINT below_next_partition CHECK (id < %s) NOT VALID', parent, (last / ${IDS} + 2) * ${IDS});
  END LOOP;
END
$$;`,
  },
  {
    name: '018-checked-bounds',
    compatible: true,
    sql: `
ALTER TABLE sync_history VALIDATE CONSTRAINT below_next_partition;
ALTER TABLE audit_events VALIDATE CONSTRAINT below_next_partition;`,
  },
  {
    name: '018-partitions',
    compatible: true,
    sql: `
-- Adds an empty partition for all ids from one on, which is never left out.
CREATE FUNCTION add_partition(parent text, lowest bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  name text := parent || '_' || lowest / ${IDS};
BEGIN
  EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name, parent);
  IF parent = 'audit_events' THEN
    EXECUTE format('ALTER TABLE %I SET (fillfactor = 90)', name);
    EXECUTE format('CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events()', name);
  END IF;
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (MAXVALUE)', parent, name, lowest);
END
$$;

-- From now on new rows go to the last partition, which is empty, and another one follows it. Moves no row: if nobody started a
-- partition for so long that there are rows in the last one already, it goes on from where it is.
CREATE FUNCTION start_partition(parent text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  ids text := pg_get_serial_sequence(parent, 'id');
  given bigint := coalesce(pg_sequence_last_value(ids::regclass), 0);
  lowest bigint := (SELECT max(substring(inhrelid::regclass::text FROM '\\d+$')::bigint) * ${IDS}
    FROM pg_inherits WHERE inhparent = parent::regclass);
  next bigint := (greatest(lowest, given) / ${IDS} + 1) * ${IDS};
  name text := parent || '_' || lowest / ${IDS};
BEGIN
  EXECUTE format('ALTER TABLE %I DETACH PARTITION %I', parent, name);
  EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (%s) TO (%s)', parent, name, lowest, next);
  PERFORM add_partition(parent, next);
  IF given < lowest THEN
    PERFORM setval(ids, lowest, false);
  END IF;
END
$$;

DO $$
DECLARE
  parent text;
  first text;
  bound bigint;
  last bigint;
  index record;
  indexes text[];
BEGIN
  FOREACH parent IN ARRAY ${TABLES} LOOP
    EXECUTE format('LOCK TABLE %I IN ACCESS EXCLUSIVE MODE', parent);
    first := parent || '_0';
    last := coalesce(pg_sequence_last_value(pg_get_serial_sequence(parent, 'id')::regclass), 0);
    bound := (SELECT substring(pg_get_constraintdef(oid) FROM '\\d+') FROM pg_constraint
      WHERE conrelid = parent::regclass AND conname = 'below_next_partition');
    indexes := '{}';
    FOR index IN SELECT c.relname AS name, i.indisprimary AS is_primary, pg_get_indexdef(i.indexrelid) AS definition
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = parent::regclass
    LOOP
      indexes := indexes || CASE WHEN index.is_primary THEN format('ALTER TABLE %I ADD PRIMARY KEY (id)', parent) ELSE index.definition END;
      EXECUTE format('ALTER INDEX %I RENAME TO %I', index.name, overlay(index.name PLACING first FROM 1 FOR length(parent)));
    END LOOP;
    EXECUTE format('ALTER TABLE %I ALTER id DROP IDENTITY', parent);
    EXECUTE format('ALTER TABLE %I RENAME TO %I', parent, first);
    EXECUTE format('CREATE TABLE %I (LIKE %I INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (id)', parent, first);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT below_next_partition', parent);
    EXECUTE format('ALTER TABLE %I ALTER id ADD GENERATED ALWAYS AS IDENTITY (START %s)', parent, last + 1);
    FOR i IN 1 .. cardinality(indexes) LOOP
      EXECUTE indexes[i];
    END LOOP;
    IF parent = 'audit_events' THEN
      DROP TRIGGER audit_events_kept ON audit_events_0;
    END IF;
    EXECUTE format('ALTER TABLE %I ATTACH PARTITION %I FOR VALUES FROM (MINVALUE) TO (%s)', parent, first, bound);
    EXECUTE format('ALTER TABLE %I DROP CONSTRAINT below_next_partition', first);
    PERFORM add_partition(parent, bound);
  END LOOP;
END
$$;
CREATE TRIGGER audit_events_kept BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION keep_audit_events();
CREATE TRIGGER audit_events_not_truncated BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION keep_audit_events();`,
  },
];
