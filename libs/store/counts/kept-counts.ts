import { HELD, HELD_ALONE } from '../destinations/holds.ts';
import {
  causeSql,
  CAUSE_KEY,
  CAUSE_OF_KEY,
  CLASSIFIED,
  exceptionsOf,
  FAILS_AS_WHOLE,
  LONG,
  SCOPE,
  settledOrHeld,
  statusSql,
} from '../associations/status.ts';

/** SQL: the kind by which an association `a` is counted; see the migration `016-kept-counts`. */
export const KIND = `association_kind(a.due_at, a.later, a.lease_token, a.removing, a.generation <> a.synced_generation,
  a.attempts, a.failure, a.entries_status, a.entries_cause)`;

/** SQL: an association `a` that became due by itself and was not claimed since. */
export const RIPE = 'a.later AND a.lease_token IS NULL AND a.due_at <= now()';

/** SQL: the kept counts, with the changes that were not added to them yet. */
export const CHANGING_COUNTS = `
SELECT destination_id, kind, count FROM association_counts
UNION ALL SELECT destination_id, kind, change FROM association_count_changes`;

// The same of the destinations `ours`. `few`: an index finds their counts; otherwise all counts are read.
const countsOf = (few: boolean): string => `
SELECT destination_id, kind, count FROM association_counts
WHERE destination_id ${few ? '= ANY (ARRAY (SELECT id FROM ours))' : 'IN (SELECT id FROM ours)'}
UNION ALL SELECT destination_id, kind, change FROM association_count_changes WHERE destination_id IN (SELECT id FROM ours)`;

// Of all destinations `ours`, what is not in sync. Asks for the destination of each count: most destinations have none.
const EXCEPTIONS = `
SELECT c.destination_id, c.kind, c.count FROM (
  SELECT destination_id, kind, count FROM association_counts WHERE kind <> 'all'
  UNION ALL SELECT destination_id, kind, change FROM association_count_changes WHERE kind <> 'all'
) c CROSS JOIN LATERAL (SELECT FROM ours d WHERE d.id = c.destination_id LIMIT 1) d`;

// For some seconds, what was triggered anew hides that it failed before.
const HIDES = `k.kind LIKE 'due|%|% %|' AND strpos(split_part(k.kind, '|', 2), 't') = 0`;

// Where so many of a destination became due within these seconds, all of them count as triggered anew.
const MOST_FRESH = 1000;

// What time alone changes. It is never much: leases, what is ripe, and what hides its failure for a moment.
const MOMENTS = `
SELECT a.destination_id, ${KIND} AS kind, 'leased' AS moment, count(*) AS count
FROM associations a WHERE a.lease_token IS NOT NULL AND a.due_at > now() GROUP BY 1, 2
UNION ALL
SELECT a.destination_id, ${KIND}, CASE WHEN a.attempts = 0 AND a.due_at > now() - ${LONG} THEN 'fresh' ELSE 'due' END, count(*)
FROM associations a WHERE ${RIPE} GROUP BY 1, 2, 3
UNION ALL
SELECT k.destination_id, k.kind, 'fresh', CASE WHEN f.seen < ${MOST_FRESH} THEN f.count ELSE k.count END
FROM kept k CROSS JOIN LATERAL (
  SELECT count(*) FILTER (WHERE ${KIND} = k.kind) AS count, count(*) AS seen FROM (
    SELECT * FROM associations a
    WHERE a.destination_id = k.destination_id AND a.due_at > now() - ${LONG} AND a.due_at <= now() LIMIT ${MOST_FRESH}
  ) a
) f WHERE ${HIDES} AND k.count > 0 AND f.count > 0`;

const DRIFT = `jsonb_build_object('class', 'DRIFTED', 'code', split_part(w.key, ' ', 2))`;

// Nearly all destinations give a kind the same meaning. What is told by the state of a single one is looked at for itself.
const SPECIAL = `(d.failure IS NOT NULL OR ${HELD_ALONE} OR coalesce(d.throttled_until > now(), false))`;

// While a change of a destination is on its way to its associations, their kinds do not say what they wait for.
const SOURCES = `
SELECT p.destination_id, p.kind, p.moment, p.count, CASE WHEN d.is_special THEN d.id ELSE 0 END AS state
FROM parts p JOIN (SELECT d.id, ${SPECIAL} AS is_special FROM ours d WHERE d.rollout_after IS NULL) d ON d.id = p.destination_id
WHERE p.count > 0`;

// Each kind once, as reading one costs much more than finding it. Without a destination, `d` is one that nothing is wrong with.
// OFFSET 0 as in `CLASSIFIED`.
const MEANINGS = `
SELECT p.state, p.kind, p.moment, t.status, c.scope, c.cause ->> 'code' AS code, c.cause::text AS cause, w.key
FROM (SELECT DISTINCT state, kind, moment FROM sources) p
LEFT JOIN LATERAL (SELECT * FROM ours d WHERE d.id = p.state LIMIT 1) d ON true
CROSS JOIN LATERAL (
  SELECT split_part(p.kind, '|', 1) AS due, split_part(p.kind, '|', 2) AS flags,
    nullif(split_part(p.kind, '|', 3), '') AS key, coalesce(nullif(split_part(p.kind, '|', 4), ''), 'SYNCED') AS settled
) w
CROSS JOIN LATERAL (
  SELECT ${CAUSE_OF_KEY} AS cause
) f
CROSS JOIN LATERAL (
  SELECT p.moment = 'leased' AS leased, p.moment IN ('due', 'fresh') OR p.moment = '' AND w.due = 'due' AS due,
    p.moment = 'due' OR p.moment = '' AND w.due = 'due' AS overdue, strpos(w.flags, 'r') > 0 AS removing,
    strpos(w.flags, 'b') > 0 AS behind, ${FAILS_AS_WHOLE} AS fails_as_whole, ${HELD} AS held
) s
CROSS JOIN LATERAL (SELECT ${statusSql({ cause: 'f.cause', isDrifted: `w.key LIKE 'DRIFTED %'`, settled: settledOrHeld('w.settled') })} AS status OFFSET 0) t
CROSS JOIN LATERAL (
  SELECT ${causeSql({ status: 't.status', cause: 'f.cause', drift: DRIFT })} AS cause, ${SCOPE} AS scope
) c`;

const ONE_BY_ONE = `
SELECT a.destination_id, c.status, c.scope, c.cause ->> 'code', c.cause::text, ${CAUSE_KEY}, 1
FROM (${exceptionsOf('moving')}) x JOIN associations a ON a.id = x.id ${CLASSIFIED}`;

/** SQL: how many associations and destinations each namespace has, with the changes that were not added yet. */
export const NAMESPACE_COUNTS = `
SELECT namespace_id, links, destinations FROM namespace_counts
UNION ALL SELECT namespace_id, links, destinations FROM namespace_count_changes`;

/**
 * SQL, for a WITH that has the destinations `ours`: `totals`, how many associations each of them has. `few`: they are few
 * of all.
 */
export const totalsOf = (few: boolean): string => `totals AS (
  SELECT c.destination_id, sum(c.count)::int AS count FROM (${countsOf(few)}) c WHERE c.kind = 'all' GROUP BY c.destination_id
)`;

/**
 * SQL, for a WITH that has the destinations `ours`: `kept`, their counts by kind, and `counted`, how many associations of
 * each destination have the same status for the same reason. What is missing there is in sync. `key`: class and code by which
 * some of them are found; `cause` is JSON in text. `few`: the destinations are few of all. Reads no association that stands still.
 */
export const countedOf = (few: boolean): string => `kept AS MATERIALIZED (
  SELECT c.destination_id, c.kind, sum(c.count)::bigint AS count FROM (${few ? countsOf(true) : EXCEPTIONS}) c
  WHERE c.kind <> 'all' GROUP BY c.destination_id, c.kind
), moments AS MATERIALIZED (${MOMENTS}
), parts AS (
  SELECT destination_id, kind, moment, count FROM moments
  UNION ALL
  SELECT k.destination_id, k.kind, '', k.count - coalesce(m.count, 0)
  FROM kept k LEFT JOIN (SELECT destination_id, kind, sum(count) AS count FROM moments GROUP BY 1, 2) m
    ON m.destination_id = k.destination_id AND m.kind = k.kind
), moving AS MATERIALIZED (SELECT * FROM ours WHERE rollout_after IS NOT NULL
), sources AS MATERIALIZED (${SOURCES}
), meanings AS MATERIALIZED (${MEANINGS}
), counted AS MATERIALIZED (
  SELECT destination_id, status, scope, code, min(cause) AS cause, min(key) AS key, sum(count)::int AS count
  FROM (
    SELECT s.destination_id, m.status, m.scope, m.code, m.cause, m.key, s.count
    FROM sources s JOIN meanings m ON m.state = s.state AND m.kind = s.kind AND m.moment = s.moment
    UNION ALL ${ONE_BY_ONE}
  ) each
  GROUP BY destination_id, status, scope, code
)`;
