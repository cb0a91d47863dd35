import { MAY_BE_SYNCED } from '../live-version.ts';
import { HELD, HELD_CAUSE, HELD_SINCE, NEXT_AFTER_HOLD } from '../destinations/holds.ts';
import { NOT_DELETED } from '../not-deleted.ts';
import { ASKED_TO_WAIT_AT } from '../orders/rate-limit.ts';

/** Every status that the API names. `UNKNOWN` belongs to the interface, but no association has it. */
export const STATUSES = [
  'PENDING',
  'SYNCING',
  'SYNCED',
  'UNSYNCING',
  'UNSYNCED',
  'DRIFTED',
  'THROTTLED',
  'CLIENT_SIDE_ERROR',
  'EXTERNAL_SERVICE_ERROR',
  'INTERNAL_ERROR',
  'UNKNOWN',
] as const;

/** Every status of an association, the worst first. */
export const WORST_FIRST = [
  'CLIENT_SIDE_ERROR',
  'INTERNAL_ERROR',
  'EXTERNAL_SERVICE_ERROR',
  'DRIFTED',
  'THROTTLED',
  'PENDING',
  'SYNCING',
  'UNSYNCING',
  'UNSYNCED',
  'SYNCED',
];

/** SQL: the status of an entry `e` by itself. An entry with known drift is not in sync. */
export const ENTRY_STATUS = `CASE WHEN e.status = 'SYNCED' AND e.drift IS NOT NULL THEN 'DRIFTED' ELSE e.status END`;

// What failed and has waited for so long since is not taken up soon: its worker waits for the store, or there is none.
export const LONG = "interval '10 seconds'";

/** SQL: a destination `d` as a whole fails, and no probe is about to show whether it still does. */
export const FAILS_AS_WHOLE = `d.failure IS NOT NULL AND coalesce(d.probe_at NOT BETWEEN now() - ${LONG} AND now(), false)`;

/**
 * SQL: joins to associations `a` and their destinations `d`, as `s`, what decides a status: whether a worker holds the
 * association, whether it is due, overdue or behind, and how its destination is. `unreached`: a change of the destination has not
 * reached the association yet, which so counts as triggered.
 */
// A scalar subquery reads the one row of sync_config. In a join, Postgres would assume thousands of rows, its default for
// a table that was never analysed. A plan for so many associations is so costly that Postgres compiles it (JIT) at each
// call.
export const STATE = `
CROSS JOIN LATERAL (SELECT coalesce(a.id > d.rollout_after, false) AS unreached) u
CROSS JOIN LATERAL (
  SELECT a.lease_token IS NOT NULL AND a.due_at > now() AS leased,
    coalesce(a.due_at <= now(), false) OR u.unreached AS due,
    -- A failure stays in sight while the try that it has planned is due; something newer hides it for a moment only.
    coalesce(a.due_at <= now() - CASE WHEN a.attempts > 0 THEN interval '0' ELSE ${LONG} END, false) AS overdue,
    a.removing OR (u.unreached AND d.purge_initiated_at IS NOT NULL AND d.purge_error IS NULL) AS removing,
    u.unreached OR a.generation <> a.synced_generation AS behind,
    ${FAILS_AS_WHOLE} AS fails_as_whole,
    ${HELD} AS held
) s`;

// What was done once, and is done once more when no older call can take effect any more.
const UNCONFIRMED = `('SYNCING', 'UNSYNCING')`;

/** SQL: that an entry `e` was written or deleted once, and is to be confirmed by doing that once more; null: it is not. */
export const UNCONFIRMED_DEED = `CASE WHEN e.status IN ${UNCONFIRMED} AND coalesce(a.failure, e.cause) IS NULL AND NOT s.behind
  THEN CASE e.status WHEN 'SYNCING' THEN 'write' ELSE 'delete' END END`;

/** SQL: a `settled` status for `statusSql`, where a pause may hold back that something is confirmed. */
export const settledOrHeld = (settled: string): string =>
  `CASE WHEN s.held AND ${settled} IN ${UNCONFIRMED} THEN 'PENDING' ELSE ${settled} END`;

/**
 * SQL: the status of an association or of one of its entries. `cause`: why its last attempt failed; `isDrifted`: a check
 * found that somebody changed it in the store; `settled`: its status if nothing is under way, missing or failing. The only
 * place where rows become a status.
 */
export const statusSql = ({
  cause,
  isDrifted,
  settled,
}: Record<'cause' | 'isDrifted' | 'settled', string>): string => `CASE
  WHEN s.leased THEN CASE WHEN s.removing THEN 'UNSYNCING' ELSE 'SYNCING' END
  WHEN s.held AND (s.due OR s.behind) THEN CASE
    -- What failed or drifted before somebody paused it still does, and nobody would mend it if that were hidden.
    WHEN s.due AND s.fails_as_whole THEN d.failure ->> 'class'
    -- A rate limit is over by itself.
    WHEN ${cause} ->> 'code' <> 'rate_limited' THEN ${cause} ->> 'class'
    WHEN ${isDrifted} THEN 'DRIFTED'
    ELSE 'PENDING' END
  WHEN s.due AND d.throttled_until > now() THEN 'THROTTLED'
  WHEN s.due AND s.fails_as_whole THEN d.failure ->> 'class'
  WHEN s.overdue AND ${cause} IS NOT NULL THEN ${cause} ->> 'class'
  WHEN s.due THEN CASE WHEN s.removing THEN 'UNSYNCING' ELSE 'PENDING' END
  WHEN ${cause} IS NOT NULL THEN ${cause} ->> 'class'
  WHEN s.removing THEN ${settledOrHeld(`'UNSYNCING'`)}
  WHEN s.behind THEN 'PENDING'
  ELSE ${settled}
END`;

/** SQL: whether the status of an entry is its own (`ENTRY_STATUS`): nothing is under way, missing or failing for all of them. */
export const IS_SETTLED = 'NOT (s.leased OR s.due OR s.removing OR s.behind OR a.failure IS NOT NULL)';

/** SQL: the cause that belongs to a status; `drift`: the known drift. */
export const causeSql = ({ status, cause, drift }: Record<'status' | 'cause' | 'drift', string>): string =>
  `CASE WHEN ${status} IN (${FAILED}) THEN CASE WHEN s.due AND s.fails_as_whole THEN d.failure ELSE ${cause} END
    WHEN ${status} = 'DRIFTED' THEN ${drift} - 'foreign'
    WHEN ${status} = 'PENDING' AND s.held THEN ${HELD_CAUSE} END`;

/** SQL: when the next attempt is planned, for a status that waits for one. */
export const nextAttemptSql = (status: string): string =>
  `CASE WHEN ${status} = 'THROTTLED' THEN d.throttled_until
    WHEN ${waitsForPause(status)} THEN ${NEXT_AFTER_HOLD}
    -- Past, if it is due and nobody has begun it: what is never tried again has none.
    WHEN ${status} IN (${FAILED}) THEN CASE WHEN NOT s.due THEN a.due_at WHEN d.probe_at > now() THEN d.probe_at
      WHEN s.overdue AND NOT s.fails_as_whole THEN a.due_at END
    -- An entry that was written while an older call could still take effect is written again when that is over.
    WHEN ${status} IN ('SYNCING', 'UNSYNCING') AND NOT s.leased AND NOT s.due THEN a.due_at END`;

// A drift alone has nothing to try.
const waitsForPause = (status: string): string =>
  `s.held AND (${status} IN ('PENDING', ${FAILED}) OR ${status} = 'DRIFTED' AND (s.due OR s.behind))`;

const FAILED = `'CLIENT_SIDE_ERROR', 'EXTERNAL_SERVICE_ERROR', 'INTERNAL_ERROR'`;

/** SQL: a time as RFC 3339 in UTC with microseconds. */
export const rfcTime = (column: string): string =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

// A limit that lets some writes through refuses others, and meanwhile holds up all that are due. Once the store has refused
// nothing for so long, something else does.
const REFUSED_LATELY = `d.rate_limit_expires_at > now() AND greatest(d.throttled_until, ${ASKED_TO_WAIT_AT}) > now() - interval '30 seconds'`;
const RATE_LIMITED = `CASE WHEN (s.due OR s.leased) AND ${REFUSED_LATELY}
  THEN '${JSON.stringify({ class: 'THROTTLED', code: 'rate_limited', message: 'The rate limit of the store was reached.' })}'::jsonb END`;

/**
 * SQL: why the last attempt failed, if the status says only that the next one is due or runs; `since`: when the failures
 * began. While something holds the association back, that is the cause; while the store limits the rate, that is what failed.
 */
export const lastFailureSql = ({
  status,
  cause,
  since,
}: Record<'status' | 'cause' | 'since', string>): string =>
  `CASE WHEN ${status} IN ('SYNCING', 'UNSYNCING', 'THROTTLED') OR ${status} = 'PENDING' AND NOT s.held
    THEN coalesce(${cause}, ${RATE_LIMITED}) || jsonb_build_object('since', ${rfcTime(since)}) END`;

/** SQL: what a status `t` belongs to. */
export const SCOPE = `CASE WHEN s.due AND (s.fails_as_whole OR NOT s.overdue AND NOT s.held) OR t.status = 'PENDING' AND s.held THEN 'destination' ELSE 'association' END`;

const WHOLE_STATUS = statusSql({
  cause: 'f.cause',
  isDrifted: `a.entries_cause LIKE 'DRIFTED %'`,
  settled: `coalesce(
    (SELECT ${settledOrHeld(ENTRY_STATUS)} FROM entries e WHERE e.association_id = a.id ORDER BY ${ENTRY_STATUS} = 'SYNCED', e.id LIMIT 1),
    CASE WHEN EXISTS (
      SELECT 1 FROM secrets s JOIN secret_versions v ON v.secret_id = s.id
      WHERE s.mount_id = a.mount_id AND s.path = a.secret_path AND ${MAY_BE_SYNCED}
    ) THEN 'SYNCED' ELSE 'UNSYNCED' END)`,
});

// OFFSET 0: Postgres finds the status once. It would otherwise put this long expression wherever the status is compared, and
// take several times as long for the plan.
/**
 * SQL: joins to associations `a` their destinations `d` and, as `c`, `status`, `cause`, `scope` (what fails:
 * `destination` or `association`), `since` (when the current series of failures began), `next_at` (when the next attempt is
 * due) and `last_failure`.
 */
export const CLASSIFIED = `
JOIN destinations d ON d.id = a.destination_id AND ${NOT_DELETED}
LEFT JOIN LATERAL (
  SELECT e.cause, min(e.failing_since) OVER (PARTITION BY e.cause ->> 'code') AS failing_since FROM entries e
  WHERE e.association_id = a.id AND e.cause IS NOT NULL ORDER BY e.id LIMIT 1
) e ON true
CROSS JOIN LATERAL (
  SELECT coalesce(a.failure, e.cause) AS cause, coalesce(a.failing_since, e.failing_since, a.updated_at) AS since
) f
${STATE}
CROSS JOIN LATERAL (
  SELECT ${WHOLE_STATUS} AS status OFFSET 0
) t
LEFT JOIN LATERAL (
  SELECT e.drift, min(e.drift_since) OVER () AS drift_since FROM entries e
  WHERE t.status = 'DRIFTED' AND e.association_id = a.id AND e.drift IS NOT NULL ORDER BY e.id LIMIT 1
) o ON true
CROSS JOIN LATERAL (
  SELECT t.status,
    ${causeSql({ status: 't.status', cause: 'f.cause', drift: 'o.drift' })} AS cause,
    ${SCOPE} AS scope,
    CASE WHEN t.status = 'DRIFTED' THEN o.drift_since
      WHEN t.status = 'PENDING' AND s.held THEN ${HELD_SINCE}
      WHEN t.status = 'THROTTLED' THEN coalesce(a.failing_since, e.failing_since, ${ASKED_TO_WAIT_AT})
      WHEN s.due AND (s.fails_as_whole OR NOT s.overdue AND NOT s.held) THEN coalesce(d.failing_since, d.failed_at) ELSE f.since END AS since,
    ${lastFailureSql({ status: 't.status', cause: 'f.cause', since: 'f.since' })} AS last_failure,
    CASE WHEN t.status = 'THROTTLED' THEN d.throttled_until
      WHEN s.held THEN CASE WHEN ${waitsForPause('t.status')} THEN ${NEXT_AFTER_HOLD} END
      WHEN NOT s.due THEN a.due_at WHEN d.probe_at > now() THEN d.probe_at END AS next_at
) c`;

/** SQL: an association `a` that may not be in sync although nothing is due. An index has them. */
export const UNSETTLED = `(a.failure IS NOT NULL OR a.entries_status IS NOT NULL OR a.entries_cause IS NOT NULL)`;

/** SQL: class and code of what fails an association `a`, as that index has them. */
export const CAUSE_KEY = `coalesce((a.failure ->> 'class') || ' ' || (a.failure ->> 'code'), a.entries_cause)`;

/** SQL: class and code of the cause that such a `key` stands for; null for a drift. */
export const CAUSE_OF_KEY = `CASE WHEN w.key NOT LIKE 'DRIFTED %'
  THEN jsonb_build_object('class', split_part(w.key, ' ', 1), 'code', split_part(w.key, ' ', 2)) END`;

/**
 * SQL: joins to associations `a` their destinations `d` and, as `c`, their status alone, by what an association keeps of its
 * entries: none of them is read.
 */
export const WITH_STATUS = `
JOIN destinations d ON d.id = a.destination_id AND ${NOT_DELETED}
${STATE}
CROSS JOIN LATERAL (SELECT ${CAUSE_KEY} AS key) w
CROSS JOIN LATERAL (SELECT ${CAUSE_OF_KEY} AS cause) f
CROSS JOIN LATERAL (
  SELECT ${statusSql({ cause: 'f.cause', isDrifted: `w.key LIKE 'DRIFTED %'`, settled: settledOrHeld(`coalesce(a.entries_status, 'SYNCED')`) })} AS status OFFSET 0
) c`;

/**
 * SQL: the ids of all associations of destinations `d` in `ours` whose status may differ from `SYNCED`. Indexes find all of
 * them.
 */
export const exceptionsOf = (ours = 'ours'): string => `
SELECT a.id FROM ${ours} d JOIN associations a ON a.destination_id = d.id AND a.due_at IS NOT NULL
UNION
SELECT a.id FROM ${ours} d JOIN associations a ON a.destination_id = d.id AND ${UNSETTLED}
UNION
SELECT k.association_id FROM ${ours} d JOIN association_keys k ON k.destination_id = d.id AND k.association_id > d.rollout_after
WHERE d.rollout_after IS NOT NULL`;

/** SQL: these associations themselves. */
export const EXCEPTIONAL_ROWS = `
SELECT a.* FROM ours d JOIN associations a ON a.destination_id = d.id AND a.due_at IS NOT NULL
UNION ALL
SELECT a.* FROM ours d JOIN associations a ON a.destination_id = d.id AND ${UNSETTLED} AND a.due_at IS NULL
UNION ALL
SELECT a.* FROM ours d JOIN association_keys k ON k.destination_id = d.id AND k.association_id > d.rollout_after
JOIN associations a ON a.id = k.association_id AND NOT ${UNSETTLED} AND a.due_at IS NULL
WHERE d.rollout_after IS NOT NULL`;

/** SQL: whether an association `a` of the destination `d` is one of these. */
export const IS_EXCEPTION = `(a.due_at IS NOT NULL OR ${UNSETTLED} OR a.id > d.rollout_after)`;
