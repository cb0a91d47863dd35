import { createBatcher } from '../../batching/batcher.ts';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { HELD, HELD_CAUSE } from '../destinations/holds.ts';
import { unclaimedSince } from '../orders/may-claim.ts';
import { DISABLED, PAUSE, type Pause } from '../destinations/pauses.ts';
import { STANDING_DECISION } from '../due/standing.ts';
import { DUE_DECISION, RENAME_WAITS } from '../due/trigger.ts';
import { countedOf, NAMESPACE_COUNTS, totalsOf } from './kept-counts.ts';
import { CAUSE_KEY, CLASSIFIED, UNSETTLED, WORST_FIRST } from '../associations/status.ts';
import type { StoredCause } from '../associations/records.ts';
import { WHOLE_PAUSE } from '../associations/sync-config.ts';

/** Associations of a destination with the same status for the same reason; times are RFC 3339. */
export type StatusGroup = {
  destination_id: number;
  type: string;
  name: string;
  status: string;
  cause: StoredCause | null;
  /** What the cause says of the looked-at associations, each text once. */
  messages: string[] | null;
  scope: 'destination' | 'association';
  count: number;
  /** Of how many of the few that were looked at a decision stands that an attempt has failed to carry out. */
  standing: number;
  /** Of how many something was decided that ends this, and waits for a pause to end. */
  decided: number;
  /** Since when the destination has this cause. */
  since: string | null;
  /** When the first of few began to fail, where that was earlier, for another cause. */
  failing_since: string | null;
  next_at: string | null;
  /** One association; null for what only waits. */
  example: { mount: string; secret_path: string } | null;
};

/** A destination with the number of its associations. */
export type SummarisedDestination = {
  id: number;
  type: string;
  name: string;
  /** The path of its namespace. */
  namespace: string;
  total: number;
  oldest_due_at: string | null;
  /** Since when work could have been claimed, if that is longer ago than claiming takes. */
  unclaimed_since: string | null;
  throttled_until: string | null;
  /** Why no worker may push to it, although nothing fails. */
  held: StoredCause | null;
  pause: Pause | null;
  purge_initiated_at: string | null;
  purge_error: string | null;
};

/** The destinations asked for, each with its groups. */
export type SummarisedDestinations = { destinations: SummarisedDestination[]; exceptions: StatusGroup[] };

/** What all associations of a namespace add up to. `problems`: how many groups fail. */
type Totals = { total: number; by_status: Record<string, number>; destinations: number; problems: number };

/**
 * `pause`: that of syncing as a whole. `page`: the worst destinations; `problems`: the groups that fail, the severest
 * first, at most `MOST_PROBLEMS`.
 */
export type Summary = {
  disabled: boolean;
  pause: Pause | null;
  totals: Totals;
  page: SummarisedDestinations;
  problems: StatusGroup[];
};

/** Most groups of failures that a summary has. */
export const MOST_PROBLEMS = 100;

// How many associations of a group are looked at for its times and its example.
const SAMPLE = 5;

const OURS = `ours AS NOT MATERIALIZED (SELECT * FROM destinations WHERE namespace_id = ?)`;
const SOME = `ours AS NOT MATERIALIZED (SELECT * FROM destinations WHERE id = ANY (?))`;

// What was decided about an entry that is not as we left it, and has not failed since.
const IS_DECIDED = `a.due_at <= now() AND a.lease_token IS NULL AND a.attempts = 0
    AND (a.removing OR ${DUE_DECISION} IS NOT NULL OR ${RENAME_WAITS})`;

const FAILS = `g.cause IS NOT NULL AND g.status <> 'PENDING'`;

// Of a failing group, the cause with its message, its times and an example. The kinds have another collation than the index
// of causes, which a comparison in theirs could not use. Where the destination fails as a whole, what is due waits for it,
// whatever its own failure. What fails may have failed for another cause before, so the incident of this one
// says since when, unless all that are left in it began later. A drift has no other cause before it.
const tell = (groups: string): string => `
SELECT g.destination_id, o.type, o.name, g.status, coalesce(x.cause, g.cause::jsonb) AS cause, x.messages, g.scope, g.count,
  CASE WHEN g.code IN ('conflict', 'changed_outside') AND g.scope = 'association' THEN (
    SELECT count(*) FROM associations a JOIN destinations d ON d.id = a.destination_id AND ${HELD}
    WHERE a.destination_id = g.destination_id AND ${UNSETTLED} AND ${CAUSE_KEY} = g.key COLLATE "default" AND ${IS_DECIDED}
  )::int ELSE 0 END AS decided,
  CASE WHEN g.count > ${SAMPLE} THEN coalesce(n.opened_at, x.since) WHEN g.status = 'DRIFTED' THEN x.since ELSE greatest(n.opened_at, x.since) END AS since, CASE WHEN g.count <= ${SAMPLE} AND x.since < n.opened_at THEN x.since END AS failing_since,
  x.next_at, coalesce(x.standing, 0) AS standing,
  CASE WHEN m.id IS NOT NULL THEN json_build_object('mount', m.path, 'secret_path', x.secret_path) END AS example
FROM (${groups}) g JOIN ours o ON o.id = g.destination_id
LEFT JOIN LATERAL (
  SELECT (array_agg(y.cause ORDER BY y.id))[1] AS cause, array_agg(DISTINCT y.cause ->> 'message') AS messages, min(y.since) AS since, min(y.next_at) AS next_at,
    (count(*) FILTER (WHERE y.stands))::int AS standing, (array_agg(y.mount_id ORDER BY y.id))[1] AS mount_id, (array_agg(y.secret_path ORDER BY y.id))[1] AS secret_path
  FROM (
    SELECT a.id, a.mount_id, a.secret_path, c.status, c.cause, c.since, c.next_at, a.attempts > 0 AND ${STANDING_DECISION} IS NOT NULL AS stands
    FROM (
      (SELECT a.id FROM associations a
       WHERE g.scope = 'association' AND a.destination_id = g.destination_id AND ${UNSETTLED} AND ${CAUSE_KEY} = g.key COLLATE "default"
       ORDER BY a.id LIMIT ${SAMPLE})
      UNION ALL
      (SELECT a.id FROM associations a
       WHERE g.scope = 'destination' AND a.destination_id = g.destination_id AND a.due_at <= now()
       ORDER BY a.due_at, a.id LIMIT ${SAMPLE})
    ) i JOIN associations a ON a.id = i.id ${CLASSIFIED}
  ) y WHERE ${FAILS} AND y.status = g.status AND y.cause ->> 'code' = g.code
) x ON true
LEFT JOIN LATERAL (
  SELECT i.opened_at FROM sync_incidents i
  WHERE i.destination_id = g.destination_id AND i.code = g.code AND i.closed_at IS NULL LIMIT 1
) n ON true
LEFT JOIN mounts m ON m.id = x.mount_id
ORDER BY g.destination_id, g.status, g.code`;

const SOME_GROUPS = `WITH ${SOME}, ${countedOf(true)} ${tell('SELECT * FROM counted')}`;
// As the overview has found them: counting them again would take as long as that.
const PROBLEMS = `WITH ${SOME} ${tell(
  `SELECT * FROM json_to_recordset(?::json) AS found (
    destination_id bigint, status text, scope text, code text, cause text, key text, count int)`,
)}`;

/**
 * SQL, after `totalsOf` and `countedOf`: `stated`, the destinations `ours` with the number of their associations, the statuses
 * of these, and the place of the worst in a list of statuses (a parameter).
 */
export const STATED = `stated AS (
  SELECT d.id, d.type, d.name, n.total, s.statuses,
    (SELECT min(array_position(?::text[], one)) FROM unnest(s.statuses) one) AS worst
  FROM ours d
  LEFT JOIN totals k ON k.destination_id = d.id
  LEFT JOIN (SELECT destination_id, sum(count) AS count, array_agg(status) AS statuses FROM counted GROUP BY destination_id) x
    ON x.destination_id = d.id
  CROSS JOIN LATERAL (SELECT coalesce(k.count, 0) AS total) n
  CROSS JOIN LATERAL (
    SELECT coalesce(x.statuses, '{}') || CASE WHEN n.total > coalesce(x.count, 0) THEN ARRAY['SYNCED'] ELSE '{}' END AS statuses
  ) s
)`;

// Sorts those alone that are not in sync; an index has the others in order.
const OVERVIEW = `
WITH ${OURS}, ${countedOf(false)}, sums AS MATERIALIZED (
  SELECT n.total, n.destinations, coalesce((SELECT sum(count) FROM counted), 0)::int AS exceptions
  FROM (
    SELECT coalesce(sum(c.links), 0)::int AS total, coalesce(sum(c.destinations), 0)::int AS destinations
    FROM (${NAMESPACE_COUNTS}) c WHERE c.namespace_id = ?
  ) n
), worst AS MATERIALIZED (
  SELECT c.destination_id AS id, min(array_position(?::text[], c.status)) AS place
  FROM counted c WHERE c.status <> 'SYNCED' GROUP BY c.destination_id
), page AS (
  (SELECT w.place, d.type, d.name, d.id FROM worst w JOIN ours d ON d.id = w.id ORDER BY w.place, d.type, d.name LIMIT ?)
  UNION ALL
  (SELECT NULL, d.type, d.name, d.id FROM ours d WHERE d.id NOT IN (SELECT id FROM worst)
   ORDER BY d.type, d.name LIMIT ?)
)
SELECT total, destinations, (SELECT count(*) FROM counted g WHERE ${FAILS})::int AS problems,
  (SELECT coalesce(jsonb_object_agg(status, count), '{}') FROM (
    SELECT status, sum(count)::int AS count FROM (
      SELECT status, count FROM counted UNION ALL SELECT 'SYNCED', total - exceptions WHERE total > exceptions) one
    GROUP BY status) each) AS by_status,
  (SELECT coalesce(json_agg(id), '[]') FROM (SELECT id FROM page ORDER BY place NULLS LAST, type, name LIMIT ?) one) AS ids,
  (SELECT coalesce(json_agg(one), '[]') FROM (
    SELECT * FROM counted g WHERE ${FAILS}
    ORDER BY array_position(?::text[], g.status), g.count DESC, g.destination_id LIMIT ${MOST_PROBLEMS}) one) AS severest
FROM sums`;

const DESTINATIONS = `
WITH ${SOME}, ${totalsOf(true)}
SELECT d.id, d.type, d.name, n.path AS namespace, coalesce(k.count, 0) AS total,
  w.due_at AS oldest_due_at,
  ${unclaimedSince('w.due_at')} AS unclaimed_since,
  CASE WHEN d.throttled_until > now() THEN d.throttled_until END AS throttled_until,
  ${HELD_CAUSE} AS held, ${PAUSE} AS pause, d.purge_initiated_at, d.purge_error
FROM ours d JOIN namespaces n ON n.id = d.namespace_id LEFT JOIN totals k ON k.destination_id = d.id
LEFT JOIN LATERAL (SELECT a.due_at FROM associations a WHERE a.destination_id = d.id AND a.due_at <= now() ORDER BY a.due_at LIMIT 1) w ON true
ORDER BY d.type, d.name`;

type Wanted = { namespaceId: string; most: number };

const batchers = new WeakMap<Database, (wanted: Wanted) => Promise<Summary>>();

/**
 * The status of a namespace, with its worst destinations, `most` of them. Only one is read at a time. Callers that ask
 * meanwhile share the next one, however many pages are open.
 */
export function summarise(db: Database, namespaceId: string, most: number): Promise<Summary> {
  const ask =
    batchers.get(db) ?? createBatcher((wanted: Wanted[]) => readOnceEach(db, wanted), { most: Infinity });
  batchers.set(db, ask);
  return ask({ namespaceId, most });
}

/** These destinations alone, in the order of their ids here. */
export async function summariseSome(db: Database, ids: number[]): Promise<SummarisedDestinations> {
  if (ids.length === 0) return { destinations: [], exceptions: [] };
  const found = await prepared<SummarisedDestination>(db, DESTINATIONS, [ids]);
  const exceptions = await prepared<StatusGroup>(db, SOME_GROUPS, [ids]);
  const places = new Map(ids.map((id, index) => [id, index]));
  const placeOf = ({ id }: { id: number }): number => places.get(id) ?? 0;
  return { destinations: found.toSorted((one, other) => placeOf(one) - placeOf(other)), exceptions };
}

async function readOnceEach(db: Database, wanted: Wanted[]): Promise<Summary[]> {
  const known = new Map<string, Summary>();
  const keyOf = ({ namespaceId, most }: Wanted): string => `${most} ${namespaceId}`;
  for (const one of wanted) if (!known.has(keyOf(one))) known.set(keyOf(one), await readSummary(db, one));
  return wanted.flatMap((one) => known.get(keyOf(one)) ?? []);
}

async function readSummary(db: Database, { namespaceId, most }: Wanted): Promise<Summary> {
  const [config] = await prepared<Pick<Summary, 'disabled' | 'pause'>>(
    db,
    `SELECT ${DISABLED} AS disabled, ${WHOLE_PAUSE} AS pause FROM sync_config`,
    [],
  );
  const [found] = await prepared<Totals & { ids: number[]; severest: { destination_id: number }[] }>(
    db,
    OVERVIEW,
    [namespaceId, namespaceId, WORST_FIRST, most, most, most, WORST_FIRST],
  );
  const {
    ids = [],
    severest = [],
    ...totals
  } = found ?? { total: 0, by_status: {}, destinations: 0, problems: 0 };
  const troubled = [...new Set(severest.map((group) => group.destination_id))];
  const problems =
    troubled.length > 0
      ? await prepared<StatusGroup>(db, PROBLEMS, [troubled, JSON.stringify(severest)])
      : [];
  return {
    disabled: config?.disabled ?? false,
    pause: config?.pause ?? null,
    totals,
    page: await summariseSome(db, ids),
    problems,
  };
}
