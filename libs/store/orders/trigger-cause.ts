/**
 * Why an association is due: its secret changed (`write`), a person linked, unlinked or retried it, its destination
 * changed, a check found a change outside (`drift`), it got another one's name, or the ledger is no longer trusted.
 * `schedule`: a further attempt that the one before had planned, after a failure for example.
 */
export type TriggerCause =
  'write' | 'link' | 'unlink' | 'retry' | 'destination' | 'drift' | 'name' | 'ledger' | 'schedule';

/** `by`: the display name of the person; null if no person did it. */
export type Trigger = { cause: TriggerCause; by: string | null };

/** SQL for the value of `associations.trigger`; `generation` and `by` are SQL too. */
export const triggerSql = (cause: TriggerCause, generation: string, by = 'NULL::text'): string =>
  `jsonb_build_object('cause', '${cause}', 'by', ${by}, 'generation', ${generation})`;
