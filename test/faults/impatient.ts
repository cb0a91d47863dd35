/** Settings with which everything is given up and tried again soon, so that a test need not wait for it. */
export const IMPATIENT = {
  CALL_TIMEOUT: '500',
  LEASE: '1500',
  SWEEP_INTERVAL: '200',
  RETRY_MIN: '50',
  RETRY_MAX: '500',
};
