import { Type } from 'typebox';

/** Why something is paused, for those who find it paused. */
export const pauseReason = Type.Optional(
  Type.String({ maxLength: 500, description: 'Why, for those who find it paused; no secret.' }),
);
