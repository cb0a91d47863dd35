/** The answer about a pause. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { closed, nullable, time } from './schema.ts';

/** Since when a destination or the whole installation is paused, and who said why. */
export const pauseAnswer = closed({
  since: nullable(time, 'Null if syncing was disabled before this was recorded.'),
  by: nullable(Type.String(), 'Who paused it, or last changed the reason or the end.'),
  reason: nullable(Type.String()),
  until: nullable(time, 'When the pause ends by itself.'),
  changed_at: nullable(time, 'When `by` did that. Equal to `since` if nobody has changed the pause.'),
});

/** Whether what a call paused or resumed was paused before it. */
export const wasPaused = Type.Boolean({ description: 'Whether it was paused before this call.' });

export type PauseAnswer = Static<typeof pauseAnswer>;
