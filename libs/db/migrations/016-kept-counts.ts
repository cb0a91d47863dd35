import type { Migration } from './migration.ts';

// What decides the status of an association, apart from its destination and the time, in one text.
const kindOf = (association: string): string =>
  `association_kind(${association}.due_at, ${association}.later, ${association}.lease_token, ${association}.removing,
     ${association}.generation <> ${association}.synced_generation, ${association}.attempts, ${association}.failure, ${association}.entries_status, ${association}.entries_cause)`;

const changesBy = (signs: [table: string, sign: number][]): string => `
    INSERT INTO association_count_changes (destination_id, kind, change)
    SELECT c.destination_id, c.kind, sum(c.change) FROM (
      ${signs.map(([table, sign]) => `SELECT a.destination_id, ${kindOf('a')} AS kind, ${sign} AS change FROM ${table} a`).join(' UNION ALL ')}
    ) c WHERE c.kind IS NOT NULL GROUP BY c.destination_id, c.kind HAVING sum(c.change) <> 0`;

const allBy = (table: string, sign: number): string => `
    INSERT INTO association_count_changes (destination_id, kind, change)
    SELECT a.destination_id, 'all', ${sign} * count(*) FROM ${table} a GROUP BY a.destination_id`;

// It will become due by itself, and does not say so.
const LATE = 'due_at > now() AND lease_token IS NULL AND NOT later';

// Where entries of an association have another state than before. A group, not a join: its cost does not depend on how
// many rows Postgres expected when it planned the function.
const changedIn = (signs: [table: string, sign: number][]): string => `
    SELECT DISTINCT c.association_id FROM (
      SELECT x.association_id, x.id FROM (
        ${signs
          .map(
            ([
              table,
              sign,
            ]) => `SELECT e.association_id, e.id, e.status, e.cause ->> 'class' AS class, e.cause ->> 'code' AS code,
          e.drift ->> 'code' AS drift, ${sign} AS change FROM ${table} e`,
          )
          .join(' UNION ALL ')}
      ) x GROUP BY x.association_id, x.id, x.status, x.class, x.code, x.drift HAVING sum(x.change) <> 0
    ) c`;

/**
 * Counts of associations by what decides their status, kept by triggers: reading a million rows for each look at the
 * summary took seconds. Each statement adds its changes, so that no two transactions wait for the same counter; a job adds
 * them up.
 */
export const keptCounts: Migration = {
  name: '016-kept-counts',
  compatible: true,
  sql: `
ALTER TABLE associations
  -- Becomes due by itself: it was given a later time. It may be due by now.
  ADD COLUMN later boolean NOT NULL DEFAULT false,
  -- The worst status of its entries; 'UNSYNCED' if it has none and its secret has no value. Null: they are in sync.
  ADD COLUMN entries_status text,
  -- Class and code of the first cause of its entries, or of what a check found: 'CLASS code'.
  ADD COLUMN entries_cause text;

-- 'due|flags|CLASS code|status', 'later|…' or '|…'. Flags: removing, behind, tried. Null: in sync and nothing is planned.
-- What cannot change the status is left out, so that a push changes the kind twice: when it is wanted, and when it is done.
CREATE FUNCTION association_kind(
  due_at timestamptz, later boolean, lease_token bigint, removing boolean, behind boolean, attempts integer, failure jsonb,
  entries_status text, entries_cause text
) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT nullif(
    CASE WHEN due_at IS NULL THEN '|' WHEN later AND lease_token IS NULL THEN 'later|' ELSE 'due|' END
    || CASE WHEN removing THEN 'r' ELSE '' END
    || CASE WHEN behind AND (due_at IS NULL OR later AND lease_token IS NULL) THEN 'b' ELSE '' END
    || CASE WHEN attempts > 0 AND (failure IS NOT NULL OR entries_cause IS NOT NULL) THEN 't' ELSE '' END
    || '|' || coalesce((failure ->> 'class') || ' ' || (failure ->> 'code'), entries_cause, '')
    || '|' || CASE WHEN due_at IS NULL OR later AND lease_token IS NULL THEN coalesce(entries_status, '') ELSE '' END,
    '|||')
$$;

CREATE TABLE association_counts (
  destination_id bigint NOT NULL,
  -- A kind, or 'all'.
  kind text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (destination_id, kind)
) WITH (fillfactor = 50);
-- What was not added to the counts yet. Rows come and go all the time.
CREATE TABLE association_count_changes (
  destination_id bigint NOT NULL,
  kind text COLLATE "C" NOT NULL,
  change bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- What an association must say of its entries.
CREATE FUNCTION entries_state(association bigint, OUT status text, OUT cause text) LANGUAGE sql STABLE AS $$
  SELECT nullif(coalesce(
    (SELECT CASE WHEN e.status = 'SYNCED' AND e.drift IS NOT NULL THEN 'DRIFTED' ELSE e.status END FROM entries e
     WHERE e.association_id = association ORDER BY e.status = 'SYNCED' AND e.drift IS NULL, e.id LIMIT 1),
    (SELECT 'SYNCED' FROM associations a JOIN destinations d ON d.id = a.destination_id WHERE a.id = association AND EXISTS (
       SELECT 1 FROM secrets s JOIN secret_versions v ON v.secret_id = s.id
       WHERE s.mount_id = a.mount_id AND s.path = a.secret_path AND NOT v.destroyed AND v.sealed IS NOT NULL
         AND (v.deletion_time IS NULL OR v.deletion_time > now())
         AND (v.version = s.current_version OR d.on_latest_deleted = 'previous'))),
    'UNSYNCED'), 'SYNCED'),
  (SELECT coalesce((e.cause ->> 'class') || ' ' || (e.cause ->> 'code'), 'DRIFTED ' || (e.drift ->> 'code'))
   FROM entries e WHERE e.association_id = association AND (e.cause IS NOT NULL OR e.drift IS NOT NULL)
   ORDER BY e.cause IS NULL, e.id LIMIT 1)
$$;

-- Makes associations say it. Returns how many of them did not.
CREATE FUNCTION state_entries(ids bigint[]) RETURNS bigint LANGUAGE sql AS $$
  WITH stated AS (
    UPDATE associations a SET entries_status = s.status, entries_cause = s.cause
    FROM unnest(ids) AS i (id) CROSS JOIN LATERAL entries_state(i.id) s
    WHERE a.id = i.id AND a.id = ANY (ids) AND (a.entries_status, a.entries_cause) IS DISTINCT FROM (s.status, s.cause)
    RETURNING 1
  ) SELECT count(*) FROM stated
$$;

CREATE FUNCTION note_association_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  late bigint[];
  bare bigint[];
BEGIN
  IF TG_OP = 'DELETE' THEN${changesBy([['former', -1]])};${allBy('former', -1)};
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN${changesBy([['present', 1]])};${allBy('present', 1)};
    late := ARRAY(SELECT id FROM present WHERE ${LATE});
  ELSE
    -- One statement, as each push comes here three times.
    WITH noted AS (${changesBy([
      ['former', -1],
      ['present', 1],
    ])})
    SELECT array_agg(id) FILTER (WHERE ${LATE}),
      array_agg(id) FILTER (WHERE entries_status = 'UNSYNCED' AND due_at IS NULL AND lease_token IS NULL)
    INTO late, bare FROM present;
  END IF;
  -- The version before, and people with a console of the database, do not set it.
  IF late <> '{}' THEN
    UPDATE associations SET later = true WHERE id = ANY (late);
  END IF;
  -- Without entries, the secret decides.
  IF bare <> '{}' THEN
    PERFORM state_entries(bare);
  END IF;
  RETURN NULL;
END
$$;

CREATE FUNCTION note_entry_changes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed bigint[];
BEGIN
  IF TG_OP = 'INSERT' THEN
    -- A reserved name changes nothing: its association is on its way.
    changed := ARRAY(SELECT DISTINCT association_id FROM present WHERE status <> 'PENDING' OR cause IS NOT NULL OR drift IS NOT NULL);
  ELSIF TG_OP = 'DELETE' THEN
    changed := ARRAY(SELECT DISTINCT association_id FROM former);
  ELSE
    changed := ARRAY(${changedIn([
      ['former', -1],
      ['present', 1],
    ])});
  END IF;
  IF changed <> '{}' THEN
    -- Locked before their entries are read, by the next statement: what another transaction has just changed counts too.
    PERFORM 1 FROM associations WHERE id = ANY (changed) ORDER BY id FOR NO KEY UPDATE;
    PERFORM state_entries(changed);
  END IF;
  RETURN NULL;
END
$$;

-- Until a statement says otherwise, what is there is in sync.
UPDATE associations a SET later = true WHERE a.due_at > now() AND a.lease_token IS NULL;
SELECT state_entries(ARRAY(
  SELECT association_id FROM entries WHERE cause IS NOT NULL OR drift IS NOT NULL
  UNION
  SELECT a.id FROM associations a WHERE NOT EXISTS (SELECT 1 FROM entries e WHERE e.association_id = a.id AND e.status = 'SYNCED')
  UNION
  SELECT association_id FROM entries WHERE status <> 'SYNCED'));
ALTER TABLE associations ALTER COLUMN entries_status SET DEFAULT 'UNSYNCED';
INSERT INTO association_counts (destination_id, kind, count)
SELECT destination_id, kind, count(*) FROM (SELECT a.destination_id, ${kindOf('a')} AS kind FROM associations a) k
WHERE kind IS NOT NULL GROUP BY destination_id, kind
UNION ALL SELECT destination_id, 'all', count(*) FROM associations GROUP BY destination_id;

CREATE TRIGGER associations_inserted AFTER INSERT ON associations REFERENCING NEW TABLE AS present
  FOR EACH STATEMENT EXECUTE FUNCTION note_association_changes();
CREATE TRIGGER associations_updated AFTER UPDATE ON associations REFERENCING OLD TABLE AS former NEW TABLE AS present
  FOR EACH STATEMENT EXECUTE FUNCTION note_association_changes();
CREATE TRIGGER associations_deleted AFTER DELETE ON associations REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION note_association_changes();
CREATE TRIGGER entries_inserted AFTER INSERT ON entries REFERENCING NEW TABLE AS present
  FOR EACH STATEMENT EXECUTE FUNCTION note_entry_changes();
CREATE TRIGGER entries_updated AFTER UPDATE ON entries REFERENCING OLD TABLE AS former NEW TABLE AS present
  FOR EACH STATEMENT EXECUTE FUNCTION note_entry_changes();
CREATE TRIGGER entries_deleted AFTER DELETE ON entries REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION note_entry_changes();

-- Leases, of which there are never more than the workers have in hand.
CREATE INDEX associations_leased ON associations (due_at) WHERE lease_token IS NOT NULL;
CREATE INDEX associations_later ON associations (due_at) WHERE later;
-- Whatever may not be in sync although nothing is due.
CREATE INDEX associations_unsettled ON associations (
  destination_id, coalesce((failure ->> 'class') || ' ' || (failure ->> 'code'), entries_cause), id
) WHERE failure IS NOT NULL OR entries_status IS NOT NULL OR entries_cause IS NOT NULL;`,
};
