/** The sweep is so rare that any value that soon reaches its store was announced by a work notification. */
export const CLUSTER_SETTINGS = { SWEEP_INTERVAL: '60000' };

/** What "soon" means, on a busy machine. */
export const ANNOUNCED_WITHIN_MS = 20_000;
