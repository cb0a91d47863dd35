const EVERY_LINK_OF_ONE = 'A filter that no index serves is applied to every link of the one destination.';
const KEY_IN_USE = 'Rotating a master key reads every sealed value once.';

/** Statements that read much of a large table, by a part of their text or of that step, each with its reason. */
export const KNOWN: Record<string, string> = {
  'ORDER BY k.mount_id, k.secret_path LIMIT $': EVERY_LINK_OF_ONE,
  'row_number() OVER (ORDER BY k.mount_id, k.secret_path)': EVERY_LINK_OF_ONE,
  ' on association_counts':
    'Of each destination, some counts are kept; a summary and a job read those of all.',
  'FROM kept k FULL JOIN actual a USING': 'A job compares the kept counts with all associations once a day.',
  'SELECT held.accessor, held.display_name': 'Who may read a secret is told of the 10,000 newest tokens.',
  'WITH looked AS MATERIALIZED':
    'A search looks at 50,000 names for a page, and says so if it has not found enough.',
  'judged AS MATERIALIZED': 'A list of links by status judges all that may not be in sync.',
  ', looked AS MATERIALIZED (SELECT k.*':
    'A search looks at 20,000 links for a page, and says so if it has not found enough.',
  'FROM audit_events WHERE id >= $1 AND id < $2':
    'A search of the trail looks at a limited span of entries for each page, and says where to go on.',
  'FROM "secret_versions" WHERE substring("sealed" FROM 2 FOR 8)': KEY_IN_USE,
  'from "secret_versions" where "sealed" is not null and substring': KEY_IN_USE,
};

/** The same, which read much only if the jobs before have left much to do. */
export const SOMETIMES: Record<string, string> = {
  'WITH taken AS (DELETE FROM association_count_changes':
    'A job adds up all changes of the kept counts since its last run.',
  ' on entries_failing: ': 'The job of incidents reads all that fails, and only that, once a minute.',
  'delete from "rate_limits"': 'The library that limits requests clears what has expired every five minutes.',
  'a.lease_token IS NOT NULL AND a.due_at <': 'Expired leases are found among all that is due.',
};
