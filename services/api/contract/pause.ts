/** The answer about a pause. Other code imports only the types, so that it loads nothing. */

import { Type, type Static } from 'typebox';
import { closed, nullable, time } from './schema.ts';

/** Who paused a destination or the whole installation, since when and why. */
export const pauseAnswer = closed({
  since: nullable(time, 'Null if syncing was disabled before this was recorded.'),
  by: nullable(Type.String()),
  reason: nullable(Type.String()),
  until: nullable(time, 'When the pause ends by itself.'),
});

/** Whether what a call paused or resumed was paused before it. */
export const wasPaused = Type.Boolean({ description: 'Whether it was paused before this call.' });

export type PauseAnswer = Static<typeof pauseAnswer>;
