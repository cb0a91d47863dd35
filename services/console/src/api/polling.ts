import { mayStillEnd } from '../../../../libs/telling/outcome.ts';
import { ApiFailure } from './failure.ts';

/**
 * Whether a query may ask again by itself. Not if the caller turned out to have no right to it: each refusal stands in
 * the audit trail, and would bury those that matter there.
 */
export function mayAskAgain(state: { error: Error | null }): boolean {
  return !(state.error instanceof ApiFailure && state.error.status === 403);
}

/** After how many milliseconds entries of the audit trail are read again because one of them may still end; or false. */
export function untilEnded(entries: { outcome: string; at: string | Date }[] = []): number | false {
  return entries.some((entry) => mayStillEnd(entry)) && 1000;
}
