/** Why something waits although nothing fails, by the code of its cause. */
export const WAITING_CAUSES = {
  paused: {
    kind: 'throttled',
    scope: 'destination',
    message: 'Syncing is paused; the change is kept.',
    action: 'Resume the destination, or syncing as a whole.',
  },
} as const;
