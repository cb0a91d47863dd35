import { ApiFailure } from './failure.ts';

/**
 * Whether a query may ask again by itself. Not if the caller turned out to have no right to it: each refusal stands in
 * the audit trail, and would bury those that matter there.
 */
export function mayAskAgain(state: { error: Error | null }): boolean {
  return !(state.error instanceof ApiFailure && state.error.status === 403);
}
