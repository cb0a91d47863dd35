/** Settings with short time limits and retries, so that tests wait little. A busy machine must still keep them. */
export const SHORT_LIMITS = {
  CALL_TIMEOUT: '1500',
  LEASE: '4500',
  SWEEP_INTERVAL: '200',
  RETRY_MIN: '50',
  RETRY_MAX: '500',
};
