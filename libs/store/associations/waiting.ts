import { HELD } from '../destinations/holds.ts';
import { isLive } from '../live-version.ts';
import { ABOUT_KEYS, IS_DECISION_WITHDRAWABLE, SPARES_CHANGES, WITHDRAW_UNLINKS } from '../due/standing.ts';
import {
  ALONE_KEYS,
  DECIDER,
  DUE_DECISION,
  DUE_TRIGGER,
  isDecidedAbout,
  IS_WITHDRAWABLE,
  meansOthers,
  OUTLASTING,
  type Decision,
  type Trigger,
} from '../due/trigger.ts';

/** SQL: whether an association `a` is about to be tried, or is being tried. */
export const UNDER_WAY = `(a.due_at <= now() OR a.lease_token IS NOT NULL) IS TRUE`;

/**
 * SQL: whether an association `a` waits for its destination `d`, which fails as a whole: its own failure is from before that,
 * and the destination's is its cause now. While the store asks to wait, that is why it waits.
 */
export const WAITS = `(a.due_at <= now() AND d.failure IS NOT NULL AND coalesce(d.throttled_until <= now(), true)) IS TRUE`;

/**
 * SQL: the decision of an association `a` that waits for the store: a person who asks for another attempt means it too. What
 * waits for a pause to end makes room for what is asked for later.
 */
export const PENDING_DECISION = `CASE WHEN a.attempts > 0 OR NOT (SELECT ${HELD} FROM destinations d WHERE d.id = a.destination_id) THEN ${DUE_DECISION} END`;

// Once a pause ends, it is tried: it is due, or a further attempt is planned.
const IS_TO_BE_TRIED = '(s.held AND (s.due OR a.attempts > 0 AND a.due_at IS NOT NULL) AND NOT s.leased)';

// What it is due for. A secret that is saved meanwhile leaves its link unlinked.
const ASKED = `CASE WHEN ${OUTLASTING} IS NOT NULL THEN ${OUTLASTING}
      WHEN a.removing THEN jsonb_build_object('cause', 'unlink', 'by', CASE WHEN a.trigger ->> 'cause' = 'unlink' THEN a.trigger -> 'by' END)
      WHEN ${DUE_DECISION} IS NOT NULL THEN jsonb_build_object('cause', ${DUE_DECISION}, 'by', ${DECIDER})
      ELSE ${DUE_TRIGGER} END`;

// Written since that version was saved: somebody may also have saved what the store had.
const HAS_NEWEST = `EXISTS (
    SELECT FROM secrets s JOIN secret_versions v ON v.secret_id = s.id AND v.version = s.current_version
    WHERE s.mount_id = a.mount_id AND s.path = a.secret_path AND ${isLive()}
      AND changed.synced_version = v.version AND changed.written_at >= v.created_at)`;

// What is no longer ours is replaced only if a person or the conflict policy decides that, and never deleted.
const IS_TOUCHED = `(changed.drift -> 'foreign' IS NULL OR NOT a.removing AND (${DUE_DECISION} IS NOT NULL AND ${isDecidedAbout('changed.sub_key')}
    OR (SELECT d.conflict_policy FROM destinations d WHERE d.id = a.destination_id) <> 'refuse'))`;

// A destination's own change leaves such an entry as it is, and so does what is due for other entries.
const OVERWRITES_DRIFT = `(${ASKED} ->> 'cause' <> 'destination' AND EXISTS (
    SELECT FROM entries changed WHERE changed.association_id = a.id AND changed.drift ->> 'code' = 'changed_outside' AND ${IS_TOUCHED}
      AND coalesce(jsonb_exists(${ALONE_KEYS}, changed.sub_key), true)
      AND (a.removing OR (NOT ${meansOthers(HAS_NEWEST)}) IS NOT FALSE))) IS TRUE`;

const RECREATES = `(${ASKED} ->> 'cause' <> 'unlink' AND EXISTS (
    SELECT FROM entries gone WHERE gone.association_id = a.id AND gone.drift ->> 'code' = 'gone_outside')) IS TRUE`;

/** SQL: whether a person asked for what an association `a` carries out once a pause ends, or it undoes what someone did in the store. */
export const IS_ASKED = `(${IS_TO_BE_TRIED} AND (${DUE_DECISION} IS NOT NULL
    OR ${ASKED} ->> 'cause' IN ('link', 'relink', 'sync', 'overwrite', 'adopt', 'rename', 'unlink', 'retry') OR ${OVERWRITES_DRIFT} OR ${RECREATES})) IS TRUE`;

/**
 * SQL: what an association `a` carries out once a pause ends, by the `STATE` of its destination; null if nothing waits for
 * that.
 */
export const WAITING = `CASE WHEN ${IS_TO_BE_TRIED} THEN
    ${ASKED}
    || jsonb_build_object('decision', ${DUE_DECISION}, 'withdrawable', ${IS_WITHDRAWABLE} OR ${IS_DECISION_WITHDRAWABLE}, 'overwrites_drift', ${OVERWRITES_DRIFT})
    || ${SPARES_CHANGES} || ${WITHDRAW_UNLINKS} || ${ABOUT_KEYS} || CASE WHEN ${RECREATES} THEN '{"recreates": true}' ELSE '{}' END::jsonb END`;

/**
 * The same as it is read; `withdrawable`: no worker has begun it, or it is a decision and no worker has it now;
 * `spares_changes`, `withdraw_unlinks`, `keys`: see `StandingDecision`;
 * `overwrites_drift`: it replaces or deletes what someone is known to have changed in the store; `recreates`: it writes an
 * entry again that someone is known to have deleted there.
 */
export type Waiting = Trigger & {
  decision: Decision | null;
  withdrawable: boolean;
  overwrites_drift: boolean;
  spares_changes?: boolean;
  keys?: string[];
  recreates?: true;
  withdraw_unlinks?: true;
};
