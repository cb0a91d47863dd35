import type { Migration } from './migration.ts';

const LINKS_OF_OLD = `(
      SELECT coalesce(sum(k.count), 0) FROM (
        SELECT count FROM association_counts WHERE destination_id = OLD.id AND kind = 'all'
        UNION ALL SELECT change FROM association_count_changes WHERE destination_id = OLD.id AND kind = 'all'
      ) k)`;

const linksBy = (table: string, sign: string): string => `
    INSERT INTO namespace_count_changes (namespace_id, links, destinations)
    SELECT d.namespace_id, ${sign}count(*), 0 FROM ${table} a JOIN destinations d ON d.id = a.destination_id
    WHERE d.namespace_id IS NOT NULL GROUP BY d.namespace_id`;

/**
 * How many destinations and associations each namespace has: adding up those of its destinations took most of a summary's time
 * where there are thousands. Kept like the other counts. A push adds and removes no association, so it changes none of these.
 */
export const namespaceCounts: Migration = {
  name: '020-namespace-counts',
  compatible: true,
  sql: `
CREATE TABLE namespace_counts (
  namespace_id text PRIMARY KEY,
  links bigint NOT NULL,
  destinations bigint NOT NULL
);
-- What was not added to the counts yet.
CREATE TABLE namespace_count_changes (
  namespace_id text NOT NULL,
  links bigint NOT NULL,
  destinations bigint NOT NULL
) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

CREATE FUNCTION note_links_of_namespaces() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN${linksBy('present', '')};
  ELSE${linksBy('former', '-')};
  END IF;
  RETURN NULL;
END
$$;

-- The associations of a deleted destination, which has no namespace any more, go later.
CREATE FUNCTION note_destinations_of_namespaces() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former text;
  present text;
  moved bigint := 0;
BEGIN
  IF TG_OP <> 'INSERT' THEN former := OLD.namespace_id; END IF;
  IF TG_OP <> 'DELETE' THEN present := NEW.namespace_id; END IF;
  IF former IS NOT DISTINCT FROM present THEN RETURN NULL; END IF;
  IF TG_OP <> 'INSERT' THEN moved := ${LINKS_OF_OLD}; END IF;
  INSERT INTO namespace_count_changes (namespace_id, links, destinations)
  SELECT * FROM (VALUES (former, -moved, -1), (present, moved, 1)) v (namespace_id, links, destinations)
  WHERE v.namespace_id IS NOT NULL;
  RETURN NULL;
END
$$;

CREATE TRIGGER associations_inserted_in_namespaces AFTER INSERT ON associations REFERENCING NEW TABLE AS present
  FOR EACH STATEMENT EXECUTE FUNCTION note_links_of_namespaces();
CREATE TRIGGER associations_deleted_in_namespaces AFTER DELETE ON associations REFERENCING OLD TABLE AS former
  FOR EACH STATEMENT EXECUTE FUNCTION note_links_of_namespaces();
CREATE TRIGGER destinations_counted AFTER INSERT OR DELETE OR UPDATE OF namespace_id ON destinations
  FOR EACH ROW EXECUTE FUNCTION note_destinations_of_namespaces();

INSERT INTO namespace_counts (namespace_id, links, destinations)
SELECT d.namespace_id, coalesce(sum(k.count), 0), count(*) FROM destinations d
LEFT JOIN (
  SELECT destination_id, sum(count) AS count FROM (
    SELECT destination_id, count FROM association_counts WHERE kind = 'all'
    UNION ALL SELECT destination_id, change FROM association_count_changes WHERE kind = 'all'
  ) c GROUP BY destination_id
) k ON k.destination_id = d.id
WHERE d.namespace_id IS NOT NULL GROUP BY d.namespace_id;`,
};
