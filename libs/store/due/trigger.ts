import { NEW_LEASE_TOKEN } from '../lease-token.ts';

/**
 * Why an association is due: its secret changed (`write`), a person linked, synced, unlinked or retried it, decided about its entry
 * (`adopt`, `overwrite`) or gave it another name (`rename`), its destination changed, a check found a change outside (`drift`), or the ledger is no longer trusted.
 * `schedule`: a further attempt that the one before had planned, after a failure for example.
 */
export type TriggerCause =
  | 'write'
  | 'link'
  | 'sync'
  | Decision
  | 'rename'
  | 'unlink'
  | 'retry'
  | 'destination'
  | 'drift'
  | 'ledger'
  | 'schedule';

/** `by`: the display name of the person; null if no person did it. */
export type Trigger = { cause: TriggerCause; by: string | null };

/**
 * What a person decided about an entry of somebody else that has the name of ours. It holds for the generation that it
 * triggers, until that was pushed without a failure.
 */
export type Decision = 'overwrite' | 'adopt';

const IS_CURRENT = `(a.trigger -> 'generation')::bigint = a.generation`;

/** SQL: why an association `a` is due. */
export const DUE_TRIGGER = `CASE WHEN a.attempts > 0 OR a.synced_generation >= a.generation THEN '{"cause": "schedule", "by": null}'::jsonb
    WHEN ${IS_CURRENT} THEN a.trigger - 'generation' - 'decision' END`;

/** SQL: the decision that its next attempt carries out; null if there is none. */
export const DUE_DECISION = `CASE WHEN ${IS_CURRENT} THEN a.trigger ->> 'decision' END`;

/** SQL for the value of `associations.trigger`; `generation`, `by` and `decision` are SQL too, and a cause may be. */
export const triggerSql = (
  cause: TriggerCause | { sql: string },
  generation: string,
  by = 'NULL::text',
  decision?: string,
): string => {
  const known = typeof cause === 'string' ? `'${cause}'` : cause.sql;
  const made = `jsonb_build_object('cause', ${known}, 'by', ${by}, 'generation', ${generation})`;
  return decision === undefined
    ? made
    : `${made} || jsonb_strip_nulls(jsonb_build_object('decision', ${decision}))`;
};

/**
 * SQL: the columns that an update of `associations a` sets to make it due; `by` is SQL for the person. A leased row keeps
 * the end of its lease: the holder sees the newer generation when it stores its result. `revoked`: the holder cannot store
 * it any more. `gone`: there is no holder.
 */
export function trigger(
  cause: TriggerCause | { sql: string },
  {
    by,
    decision,
    generation = 'a.generation + 1',
    lease = 'kept',
  }: { by?: string; decision?: string; generation?: string; lease?: 'kept' | 'revoked' | 'gone' } = {},
): string {
  const due = lease === 'gone' ? 'now()' : 'CASE WHEN a.lease_token IS NULL THEN now() ELSE a.due_at END';
  const leases = {
    kept: '',
    revoked: `lease_token = CASE WHEN a.lease_token IS NOT NULL THEN ${NEW_LEASE_TOKEN} END,`,
    gone: 'lease_token = NULL,',
  };
  return `
  generation = ${generation},
  trigger = ${triggerSql(cause, generation, by, decision)},
  attempts = 0,
  ${leases[lease]}
  due_at = ${due},
  later = false,
  updated_at = now()`;
}
