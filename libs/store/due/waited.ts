import { DUE_TRIGGER } from './trigger.ts';

const SINCE = `to_timestamp((a.trigger -> 'at')::bigint)`;

// The pause of the installation counts before that of the destination, and a failure that lasts before what has ended.
const HELD_BY = `(SELECT CASE
    WHEN d.failure IS NOT NULL THEN d.failure ->> 'code'
    WHEN (SELECT greatest(c.resumed_at, c.disabled_until) FROM sync_config c) > ${SINCE} THEN 'paused'
    WHEN d.freed_at > ${SINCE} THEN d.freed_from
    WHEN d.paused_until > ${SINCE} THEN 'paused'
    WHEN d.throttled_until > ${SINCE} THEN 'rate_limited' END
  FROM destinations d WHERE d.id = a.destination_id)`;

// How long an association is due before its first attempt counts as late.
const LATE = `interval '5 seconds'`;

/**
 * SQL: whether the attempt of a trigger (SQL) ended an incident `i` by itself: what a person had done was done before it, or
 * waited until the destination worked again.
 */
export const waitedFor = (trigger: string): string =>
  `(${trigger} #>> '{waited,for}' = i.code OR to_timestamp((${trigger} #> '{waited,since}')::bigint) <= i.opened_at) IS TRUE`;

/** SQL: why an association `a` that is being loaded is due, and how long its first attempt had to wait. */
export const LOADED_TRIGGER = `${DUE_TRIGGER} || CASE WHEN a.attempts = 0 AND a.synced_generation < a.generation AND ${SINCE} < now() - ${LATE}
    THEN jsonb_build_object('waited', jsonb_build_object('since', a.trigger -> 'at', 'for', ${HELD_BY})) ELSE '{}' END`;
