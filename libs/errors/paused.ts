/** Why something waits although nothing fails: somebody paused its destination, or syncing as a whole. */
export const PAUSED_CAUSE = {
  class: 'PENDING',
  code: 'paused',
  message: 'Syncing is paused; the change is kept.',
};
