import { ApiFailure } from '../../../api/failure.ts';

/** Whether a secret that was there is not found any more. */
export function isAbsence(error: unknown): boolean {
  return error instanceof ApiFailure && error.status === 404;
}
