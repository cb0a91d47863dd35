import { Type } from 'typebox';
import { badRequest, RequestError } from '../../../libs/errors/request-error.ts';
import type { Pause } from '../../../libs/store/destinations/pauses.ts';
import { actorText } from '../../../libs/telling/actor.ts';

/** Why something is paused, for those who find it paused. */
export const pauseReason = Type.Optional(
  Type.String({ maxLength: 500, description: 'Why, for those who find it paused; no secret.' }),
);

/** That reason; null for none. */
export const givenReason = (reason = ''): string | null => reason.trim() || null;

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

/**
 * Throws 412 if it is paused already and the caller sent `If-None-Match: *`: whoever did not know of the other pause must
 * not replace its reason.
 */
export function requireUnpaused(ifNoneMatch: string | undefined, pause: Pause | null, what: string): void {
  if (!ifNoneMatch) return;
  if (ifNoneMatch.trim() !== '*') throw badRequest('If-None-Match must be *: pause only what is not paused');
  if (!pause) return;
  const { by, reason, changed_at: changedAt } = pause;
  const who = by ? `${actorText(by)} paused it` : 'it was paused';
  const when = changedAt ? ` at ${new Date(changedAt).toISOString()}` : '';
  const why = reason ? `: “${reason}”` : '';
  throw new RequestError('precondition_failed', [
    `${what} is paused already; nothing was changed: ${who}${when}${why}`,
  ]);
}
