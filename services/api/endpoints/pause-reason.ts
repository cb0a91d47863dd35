import { Type } from 'typebox';
import { badRequest } from '../../../libs/errors/request-error.ts';

/** Why something is paused, for those who find it paused. */
export const pauseReason = Type.Optional(
  Type.String({ maxLength: 500, description: 'Why, for those who find it paused; no secret.' }),
);

/** When a pause ends. */
export const pauseUntil = Type.Optional(
  Type.String({
    format: 'date-time',
    errorMessage: 'must be a time such as 2026-01-02T03:04:05Z',
    description: 'When the pause ends by itself. Default: never.',
  }),
);

/** The time of that field; null for none. Throws 400 for one that is over. */
export function endOfPause(until: string | undefined): Date | null {
  const end = until === undefined ? null : new Date(until);
  // Years and seconds that only the format allows give no time.
  if (end && !(end.getTime() > Date.now())) throw badRequest('until must be a time in the future');
  return end;
}
