import type { SecretChange } from '../../telling/attempts.ts';
import { NEW_LEASE_TOKEN } from '../lease-token.ts';

/**
 * Why an association is due: its secret changed (`write`), a person linked, synced, unlinked or retried it, linked it again instead of unlinking it (`relink`), decided about its entry
 * (`adopt`, `overwrite`) or gave it another name (`rename`), its destination changed, a check found a change outside (`drift`), or the ledger is no longer trusted.
 * `expiry`: the version that its entries have expired. `withdraw`: a further attempt left what a person no longer wants to undo. `schedule`: a further attempt that the one before had planned, after a failure for example.
 */
export type TriggerCause =
  | 'write'
  | 'link'
  | 'relink'
  | 'sync'
  | Decision
  | 'rename'
  | 'unlink'
  | 'retry'
  | 'destination'
  | 'drift'
  | 'ledger'
  | 'expiry'
  | 'withdraw'
  | 'schedule';

/**
 * `by`: the display name of the person; null if no person did it. `change`: what the `write` was, if no version was saved.
 * `waited`: the first attempt came late.
 */
export type Trigger = { cause: TriggerCause; by: string | null; change?: SecretChange; waited?: Waited };

/** Since when (seconds since 1970) an association was due before it was tried, and for what: `paused`, or the code of a cause; null: not known. */
export type Waited = { since: number; for: string | null };

/**
 * What a person decided about an entry of somebody else that has the name of ours. It holds until the association was pushed
 * without a failure, also if its secret is saved once more meanwhile.
 */
export type Decision = 'overwrite' | 'adopt';

/** SQL: whether what the trigger of an association `a` says holds for what it is due for now. */
export const IS_CURRENT = `(a.trigger -> 'generation')::bigint = a.generation`;

// What a trigger keeps so that it can be withdrawn: how the association was before it, and before others that nobody
// carried out. Nothing while a worker has the association.
const BEFORE = `CASE WHEN a.lease_token IS NULL THEN jsonb_build_object('before', coalesce(a.trigger -> 'before', jsonb_build_object(
    'removing', a.removing, 'template', a.secret_name_template, 'settled', a.synced_generation >= a.generation,
    'attempts', a.attempts, 'due_at', a.due_at, 'later', a.later, 'trigger', CASE WHEN ${IS_CURRENT} THEN a.trigger END)))
  ELSE '{}' END`;

const HAS_BEFORE = `a.lease_token IS NULL AND ${IS_CURRENT} AND a.trigger -> 'before' IS NOT NULL`;

// What was asked for before, and outlasts a new trigger.
const ASKED = `jsonb_build_object('asked', coalesce(a.trigger -> 'asked',
    jsonb_build_object('cause', a.trigger -> 'cause', 'by', a.trigger -> 'by')))`;

// The same; withdrawing it leaves the new trigger.
function beforeAlone(alone: string): string {
  return `CASE WHEN ${HAS_BEFORE} THEN ${ASKED} || jsonb_build_object('before', (a.trigger -> 'before') || jsonb_build_object(
    'settled', false, 'attempts', 0, 'due_at', now(), 'later', false, 'trigger', ${alone})) ELSE '{}' END`;
}

/** SQL: whether another name for the link of `a` was asked for, and waits. */
export const RENAME_WAITS = `(${HAS_BEFORE} AND a.trigger #>> '{before,template}' IS DISTINCT FROM a.secret_name_template)`;

/** SQL: the trigger of `a` once a worker has claimed it: what a worker begins cannot be withdrawn. */
export const CLAIMED_TRIGGER = `a.trigger - 'before' - 'asked'`;

/** SQL: whether what was asked of an association `a` can be withdrawn, because no worker has begun it. */
export const IS_WITHDRAWABLE = `(${IS_CURRENT} AND a.trigger -> 'before' IS NOT NULL AND a.lease_token IS NULL
    AND a.attempts = 0 AND a.synced_generation < a.generation) IS TRUE`;

/** SQL: the columns that make an association `a` what it was before that was asked. */
export const WITHDRAWN = `
  removing = (a.trigger #> '{before,removing}')::boolean,
  secret_name_template = a.trigger #>> '{before,template}',
  synced_generation = CASE WHEN (a.trigger #> '{before,settled}')::boolean THEN a.generation ELSE a.synced_generation END,
  attempts = (a.trigger #> '{before,attempts}')::integer,
  due_at = (a.trigger #>> '{before,due_at}')::timestamptz,
  later = (a.trigger #> '{before,later}')::boolean,
  trigger = nullif(a.trigger #> '{before,trigger}', 'null') || jsonb_build_object('generation', a.generation),
  updated_at = now()`;

/** SQL: the decision that its next attempt carries out; null if there is none. */
export const DUE_DECISION = `CASE WHEN ${IS_CURRENT} THEN coalesce(a.trigger ->> 'decision', a.trigger ->> 'decision_of_keys') END`;

/**
 * SQL: what the entries that it is about had then: the beginnings of keyed fingerprints (hex) by external name. Another value
 * was not decided about. Null: nobody knows, or minds.
 */
export const DUE_EXPECTED = `CASE WHEN ${IS_CURRENT} THEN a.trigger -> 'expected' END`;

/** SQL: the keys of the secret whose entries it is about, as a JSON array; null: all of them. */
export const DUE_KEYS = `CASE WHEN ${IS_CURRENT} THEN a.trigger -> 'keys' END`;

/** SQL: whether it is about the entry of a key (SQL). */
export const isDecidedAbout = (key: string): string => `coalesce(jsonb_exists(${DUE_KEYS}, ${key}), true)`;

/** SQL: the keys whose entries an association `a` is due for, because a person decided about them alone; null: all of them. */
export const ALONE_KEYS = `CASE WHEN ${IS_CURRENT} THEN coalesce(a.trigger -> 'alone', CASE WHEN a.trigger ->> 'cause' IN ('overwrite', 'adopt') THEN a.trigger -> 'keys' END) END`;

/** SQL: the trigger of `a` once its decision is carried out or withdrawn. */
export const UNDECIDED = `a.trigger - '{decision,decision_of_keys,decider,expected,keys,withdrawn_by}'::text[]`;

/** SQL: what a trigger that was a decision becomes without it. What it was not about is still left alone. */
export const AS_SYNC = `CASE WHEN a.trigger ->> 'cause' IN ('overwrite', 'adopt')
    THEN jsonb_strip_nulls(jsonb_build_object('cause', 'sync', 'alone', a.trigger -> 'keys')) ELSE '{}' END`;

/** SQL: the same where something is left to be synced: an entry is not the one that it was decided about, or others fail. */
export const DECIDED = `${UNDECIDED} || ${AS_SYNC}`;

/** SQL: who made that decision, whoever has caused a further attempt since. */
export const DECIDER = `coalesce(a.trigger ->> 'decider', a.trigger ->> 'by')`;

/** SQL: whether the next attempt at an association `a` reads the store, because a person asked for it. */
export const LOOKS = `(${IS_CURRENT} AND (a.trigger ->> 'cause' IN ('sync', 'retry', 'overwrite', 'adopt') OR a.trigger -> 'looks' IS NOT NULL)) IS TRUE`;

/**
 * SQL: whether an association `a` is due for something else than an entry that has the newest version of its secret (a
 * condition): whoever saves a version, links or renames does not mean what somebody has made of the entry since.
 */
export const meansOthers = (hasNewest: string): string =>
  `(NOT ${LOOKS} AND a.trigger ->> 'cause' IN ('write', 'link', 'relink', 'rename') AND ${hasNewest})`;

/** SQL: whether it then leaves what somebody has changed there since anybody looked. */
export const ONLY_SEEN = `(${LOOKS} AND a.trigger -> 'only_seen' IS NOT NULL)`;

/** SQL: who has withdrawn that what was seen is undone, so that it is left too (`by`); null: nobody has. */
export const WITHDRAWAL = `CASE WHEN ${LOOKS} AND a.trigger ->> 'only_seen' = 'none' THEN jsonb_build_object('by', a.trigger -> 'withdrawn_by') END`;

// Whatever comes after that, before it is carried out, does not take it back.
const STILL_LOOKS = `CASE WHEN ${LOOKS} AND (a.synced_generation < a.generation OR a.attempts > 0)
    THEN jsonb_strip_nulls(jsonb_build_object('looks', true, 'only_seen', a.trigger -> 'only_seen')) ELSE '{}' END`;

/** SQL: why an association `a` is due. */
export const DUE_TRIGGER = `CASE WHEN a.attempts > 0 OR a.synced_generation >= a.generation THEN '{"cause": "schedule", "by": null}'::jsonb
    WHEN ${IS_CURRENT} THEN ${UNDECIDED} - 'generation' - 'before' - 'asked' - 'looks' - 'only_seen' - 'limited' - 'alone' - 'at' END`;

/** SQL: what a person asked for before that, and still waits; null if there is nothing. */
export const OUTLASTING = `CASE WHEN ${IS_CURRENT} THEN a.trigger -> 'asked' END`;

// Shorter than a time in words.
const SECONDS = 'extract(epoch FROM now())::bigint';

type TriggerOptions = {
  /** What a person decides with it. */
  decision?: string | undefined;
  /** What was decided before, and stays unless this decides something. */
  keptDecision?: string | undefined;
  /** See `DUE_EXPECTED`. */
  expected?: string | undefined;
  /** See `DUE_KEYS`. */
  keys?: string | undefined;
  /** See `ONLY_SEEN`. */
  onlySeen?: string | undefined;
  /** See `Trigger`. */
  change?: string | undefined;
};

// A worker of the version before takes every `decision` for one about all entries, so that about some has another name.
const ofKeys = (made: string): string => `(SELECT CASE WHEN jsonb_exists(made, 'keys')
    THEN made - 'decision' || jsonb_build_object('decision_of_keys', made -> 'decision') ELSE made END FROM (SELECT ${made}) AS row (made))`;

/** SQL for the value of `associations.trigger`; the others are SQL too, and a cause may be. */
export const triggerSql = (
  cause: TriggerCause | { sql: string },
  generation: string,
  by = 'NULL::text',
  { decision, keptDecision, expected, keys, onlySeen, change }: TriggerOptions = {},
): string => {
  const known = typeof cause === 'string' ? `'${cause}'` : cause.sql;
  const made = `jsonb_build_object('cause', ${known}, 'by', ${by}, 'generation', ${generation}, 'at', ${SECONDS})`;
  const decisions = [decision, keptDecision].filter((one) => one !== undefined);
  const isKept = [...(decision === undefined ? [] : [`${decision} IS NULL`]), `${keptDecision} IS NOT NULL`];
  // In this order: callers bind values to what is in their SQL.
  const more = [
    ...(decisions.length === 0 ? [] : [`jsonb_build_object('decision', coalesce(${decisions.join(', ')}))`]),
    ...(keptDecision === undefined && keys !== undefined ? [`jsonb_build_object('keys', ${keys})`] : []),
    ...(keptDecision === undefined
      ? []
      : [
          `CASE WHEN ${isKept.join(' AND ')} THEN jsonb_build_object('decider', ${DECIDER}, 'expected', a.trigger -> 'expected', 'keys', a.trigger -> 'keys')
      ELSE jsonb_build_object('expected', ${expected ?? 'NULL::jsonb'}, 'keys', ${keys ?? 'NULL::jsonb'}) END`,
        ]),
    ...(onlySeen === undefined
      ? []
      : [`jsonb_build_object('only_seen', CASE WHEN ${onlySeen} THEN true END)`]),
    ...(change === undefined ? [] : [`jsonb_build_object('change', ${change})`]),
  ];
  if (more.length === 0) return made;
  const whole = `${made} || jsonb_strip_nulls(${more.join(' || ')})`;
  return decisions.length === 0 ? whole : ofKeys(whole);
};

/**
 * SQL: the columns that an update of `associations a` sets to make it due; `by` is SQL for the person. A leased row keeps
 * the end of its lease: the holder sees the newer generation when it stores its result. `revoked`: the holder cannot store
 * it any more. `gone`: there is no holder. `isWithdrawable`: a person asks for it, and may withdraw it until a worker begins.
 * `keeps`: SQL for whether what a person asked for before stays.
 */
export function trigger(
  cause: TriggerCause | { sql: string },
  {
    by,
    generation = 'a.generation + 1',
    lease = 'kept',
    isWithdrawable = false,
    keeps,
    ...options
  }: TriggerOptions & {
    by?: string;
    generation?: string;
    lease?: 'kept' | 'revoked' | 'gone';
    isWithdrawable?: boolean;
    keeps?: string;
  } = {},
): string {
  const due = lease === 'gone' ? 'now()' : 'CASE WHEN a.lease_token IS NULL THEN now() ELSE a.due_at END';
  const leases = {
    kept: '',
    revoked: `lease_token = CASE WHEN a.lease_token IS NOT NULL THEN ${NEW_LEASE_TOKEN} END,`,
    gone: 'lease_token = NULL,',
  };
  const made = triggerSql(cause, generation, by, options);
  const outlasting =
    keeps === undefined ? '' : ` || CASE WHEN ${keeps} AND ${HAS_BEFORE} THEN ${ASKED} ELSE '{}' END`;
  const before = isWithdrawable
    ? ` || ${BEFORE}${outlasting}`
    : keeps === undefined
      ? ''
      : ` || ${beforeAlone(triggerSql(cause, generation, by, { change: options.change }))}`;
  return `
  generation = ${generation},
  trigger = ${made}${before}${isWithdrawable ? '' : ` || ${STILL_LOOKS}`},
  attempts = 0,
  ${leases[lease]}
  due_at = ${due},
  later = false,
  updated_at = now()`;
}
