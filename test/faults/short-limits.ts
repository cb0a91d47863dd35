/** Settings with short time limits and retries, so that tests need not wait. */
export const SHORT_LIMITS = {
  CALL_TIMEOUT: '500',
  LEASE: '1500',
  SWEEP_INTERVAL: '200',
  RETRY_MIN: '50',
  RETRY_MAX: '500',
};
