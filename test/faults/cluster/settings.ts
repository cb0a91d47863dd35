import { RENEWED_WITHIN_MS } from '../../../libs/queue/limits.ts';
import { REPEAT_MS } from '../canary.ts';

/** The sweep is so rare that any value that soon reaches its store was announced by a work notification. */
export const CLUSTER_SETTINGS = { SWEEP_INTERVAL: '60000' };

// On a busy machine, for the write, the push and the call of the store.
const PUSHED_WITHIN_MS = 4000;

/** What "soon" means: an API can notify again, writes once more, and the value is pushed. Shorter than the time between sweeps. */
export const ANNOUNCED_WITHIN_MS = RENEWED_WITHIN_MS + REPEAT_MS + PUSHED_WITHIN_MS;
