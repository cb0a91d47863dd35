/** Longest pause before we connect, or set up channels, once more. */
export const LONGEST_DELAY_MS = 5000;

/** How long the set-up of channels may take. */
export const SET_UP_LIMIT_MS = 5000;

/** Closing waits for the broker's answer, and a dead broker never answers. */
export const CLOSE_LIMIT_MS = 2000;

/**
 * How long a message may stay unconfirmed before we renew its channel. If the node that leads a queue is frozen, the other
 * nodes elect a new leader after about ten seconds, and an old channel then works again. A new channel waits until the
 * frozen node answers or counts as dead, which takes a minute. So we wait longer than ten.
 */
export const CONFIRM_LIMIT_MS = 20_000;

/**
 * The longest time until a process can send again, once the network and the broker work. A channel that the broker no longer
 * serves takes longest: a message stays unconfirmed, the channel is closed, and after a pause there is a new one. A lost
 * connection takes less: the last attempt that fails, a pause, and the attempt that succeeds.
 */
export const RENEWED_WITHIN_MS = CONFIRM_LIMIT_MS + CLOSE_LIMIT_MS + LONGEST_DELAY_MS + SET_UP_LIMIT_MS;
