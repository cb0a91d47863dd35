import type { EntryResult } from '../../store/orders/result.ts';
import type { Session } from '../../connector/contract.ts';
import type { AssignedPlan, Wanted } from './assign.ts';
import { recordFailed, type OrderAttempt } from './attempt.ts';
import { noCall, toFailure, type Failure } from './failure.ts';
import type { EngineParts } from '../parts.ts';
import { sameTags } from './tags.ts';
import { NOT_HELD, type WriteTask } from './write-entry.ts';

/** An order's plan with the attempt that carries it out. */
export type Prepared = AssignedPlan & { attempt: OrderAttempt };

/** One value to write, with the order it belongs to. */
export type PushTask = { prepared: Prepared; wanted: Wanted; task: WriteTask; held: boolean };

/** What the verbs of a push need. */
export type PushTools = {
  parts: EngineParts;
  session: Session;
  run: <Result>(call: (signal: AbortSignal) => Promise<Result>) => Promise<Result>;
  outOfTime: () => boolean;
};

/** Whether the entry is as it should be already, as far as the ledger knows. */
export function isUnchanged({ task }: PushTask, session: Session): boolean {
  return !task.valueChanged && (!session.retag || sameTags(task.entry.writtenTags, task.tags));
}

/** Whether a value is outside, confirmed or not yet. */
export function isWritten({ status }: EntryResult): boolean {
  return status === 'SYNCED' || status === 'SYNCING';
}

/** Records a failed write; one that certainly had no effect leaves the ledger as it was. */
export function failWrite(
  item: PushTask,
  held: boolean,
  failure: Failure,
  durationMs: number,
  tools: PushTools,
): void {
  const { prepared, wanted, task } = item;
  if (interrupted(failure, tools)) prepared.attempt.unfinished = true;
  const known = task.lost ? { ...wanted.entry, ...NOT_HELD } : wanted.entry;
  const entry = { ...known, held: failure.ambiguous ? task.entry.held : known.held };
  recordFailed(prepared.attempt, entry, wanted.subKey, failure, held ? 'update' : 'create', durationMs);
}

/** Whether the failure only means: not now. */
export function interrupted(failure: Failure, tools: PushTools): boolean {
  return failure.retry === 'wait' || tools.parts.stop.aborted;
}

/** The decision an error stands for; what nobody foresaw is logged, without its text. */
export function logged(error: unknown, parts: EngineParts): Failure {
  const failure = toFailure(error);
  if (failure.cause.class === 'INTERNAL_ERROR')
    parts.context.log.error({ error }, 'a push failed unforeseen');
  return failure;
}

/**
 * No further call for an order once its time is up or the store asked for a pause; and where the destination as a whole
 * fails, what is left fails alike without asking.
 */
export function blockage(attempt: OrderAttempt, tools: PushTools): Failure | 'later' | undefined {
  const whole = attempt.failures.find((failure) => failure.wholeDestination && failure.retry !== 'wait');
  if (whole) return noCall(whole);
  if (!tools.outOfTime() && !attempt.failures.some((failure) => failure.retry === 'wait')) return undefined;
  attempt.unfinished = true;
  return 'later';
}
