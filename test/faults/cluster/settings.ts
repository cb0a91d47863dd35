/** Work is looked for so seldom that what reaches its store soon was announced by a message. */
export const CLUSTER_SETTINGS = { SWEEP_INTERVAL: '60000' };

/** How soon that is, on a busy machine. */
export const ANNOUNCED_WITHIN_MS = 20_000;
