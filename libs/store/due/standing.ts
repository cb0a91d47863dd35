import {
  AS_SYNC,
  DECIDER,
  DUE_DECISION,
  DUE_EXPECTED,
  DUE_KEYS,
  IS_CURRENT,
  IS_WITHDRAWABLE,
  ONLY_SEEN,
  UNDECIDED,
  type Decision,
} from './trigger.ts';

/**
 * A decision that no attempt has carried out yet, also that what someone deleted in the store is written again (`recreate`);
 * `by`: the display name of the person; `spares_changes`: what someone changes in the entry since then stays;
 * `withdraw_unlinks`: an unlinking was taken back with it, and goes on if it is withdrawn; `keys`: those whose entries it is about,
 * if not all.
 */
export type StandingDecision = {
  kind: Decision | 'recreate';
  by: string | null;
  spares_changes?: boolean;
  withdraw_unlinks?: true;
  keys?: string[];
};

// A store that shows no values does not tell whether somebody has changed an entry once more, and a newer version is written
// whatever somebody has made of it.
const SPARES_UNSEEN = `(${ONLY_SEEN} AND (
    SELECT bool_and(changed.drift_fingerprint IS NOT NULL AND changed.synced_version = (
      SELECT s.current_version FROM secrets s WHERE s.mount_id = a.mount_id AND s.path = a.secret_path))
    FROM entries changed WHERE changed.association_id = a.id AND changed.drift ->> 'code' = 'changed_outside'))`;

const SPARING = `jsonb_build_object('spares_changes', (${DUE_EXPECTED} IS NOT NULL OR ${SPARES_UNSEEN}) IS TRUE)`;

/** SQL: whether what somebody has changed since in an entry that it is about stays, as it is read; empty without a decision. */
export const SPARES_CHANGES = `CASE WHEN ${DUE_DECISION} IS NOT NULL THEN ${SPARING} ELSE '{}' END`;

// What failed, or is held back by a store that fails or asks to wait.
const IS_PUT_OFF = `(a.attempts > 0 OR a.synced_generation < a.generation AND EXISTS (SELECT FROM destinations d WHERE d.id = a.destination_id
    AND (d.failure IS NOT NULL OR d.throttled_until > now())))`;

const hasDrift = (code: string): string =>
  `EXISTS (SELECT FROM entries e WHERE e.association_id = a.id AND e.drift ->> 'code' = '${code}')`;

/** SQL: the kind of the decision about the entry of an association `a` that stands; null if there is none. */
export const DECIDED_KIND = `CASE WHEN ${IS_CURRENT} THEN coalesce(${DUE_DECISION},
    CASE WHEN a.trigger ->> 'cause' = 'overwrite' AND ${IS_PUT_OFF} THEN 'overwrite' END) END`;

// Whoever syncs what is known to be changed or deleted outside means to undo that, unless it was withdrawn since. Linking
// again over a known change is a decision from the start; it leaves one that was found since.
const STANDING_KIND = `coalesce(${DECIDED_KIND}, CASE WHEN ${IS_CURRENT}
    AND a.trigger ->> 'cause' IN ('sync', 'retry', 'relink') AND a.trigger ->> 'only_seen' IS DISTINCT FROM 'none' AND a.trigger -> 'alone' IS NULL AND ${IS_PUT_OFF}
    THEN CASE WHEN a.trigger ->> 'cause' <> 'relink' AND ${hasDrift('changed_outside')} THEN 'overwrite'
      WHEN ${hasDrift('gone_outside')} THEN 'recreate' END END)`;

/** SQL: whether withdrawing what was asked of an association `a` brings back that it is unlinked; empty if it does not. */
export const WITHDRAW_UNLINKS = `CASE WHEN ${IS_WITHDRAWABLE} AND NOT a.removing AND (a.trigger #> '{before,removing}')::boolean
    THEN '{"withdraw_unlinks": true}' ELSE '{}' END::jsonb`;

/** SQL: the keys that the decision of an association `a` is about, as they are read; empty without any. */
export const ABOUT_KEYS = `jsonb_strip_nulls(jsonb_build_object('keys', ${DUE_KEYS}))`;

/** SQL: that decision as it is read. */
export const STANDING_DECISION = `CASE WHEN ${STANDING_KIND} IS NOT NULL THEN jsonb_build_object('kind', ${STANDING_KIND}, 'by', ${DECIDER})
    || CASE WHEN ${STANDING_KIND} <> 'recreate' THEN ${SPARING} ELSE '{}' END || ${WITHDRAW_UNLINKS} || ${ABOUT_KEYS} END`;

/** SQL: whether the decision about an association `a` can be taken back, also after attempts that failed: no worker has it now. */
export const IS_DECISION_WITHDRAWABLE = `(${STANDING_KIND} IS NOT NULL AND a.lease_token IS NULL) IS TRUE`;

const UNDOES_DRIFT = `a.trigger ->> 'cause' IN ('sync', 'retry', 'relink', 'overwrite', 'adopt') AND EXISTS (
    SELECT FROM entries changed WHERE changed.association_id = a.id AND changed.drift IS NOT NULL)`;

/** SQL: the columns that take it back for a person (a binding); a change or a deletion in the store stays then, and what else an association `a` is due for. */
export const WITHOUT_DECISION = `
  trigger = ${UNDECIDED} || CASE WHEN ${UNDOES_DRIFT} THEN jsonb_build_object('cause', 'sync', 'only_seen', 'none', 'withdrawn_by', ?::text) ELSE ${AS_SYNC} END,
  updated_at = now()`;
