import { UnsealError } from '../../crypto/seal.ts';
import type { Cause } from '../../store/orders/order.ts';
import { ConnectorError } from '../../connector/errors.ts';

/** What an error means for the attempt: shown as `cause`, and whether and when it is worth another try. */
export type Failure = {
  cause: Cause;
  /**
   * `never`: until something changes here. `slow`: it may be mended outside. `recheck`: it may be mended here, at another
   * association. `backoff`: it passes. `wait`: the store said how long.
   */
  retry: 'never' | 'slow' | 'recheck' | 'backoff' | 'wait';
  waitMs: number;
  /** The destination as a whole is meant. */
  wholeDestination: boolean;
  /** The call may have had its effect although it failed. */
  ambiguous: boolean;
  /** The call was given up, so that the store or a proxy may carry it out after a later one. */
  mayLandLate: boolean;
};

/** The one place where an error becomes a decision. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ConnectorError) return fromConnector(error);
  const message =
    error instanceof UnsealError
      ? 'the secret could not be opened with the configured master keys; nothing was changed outside'
      : 'an unforeseen error; the log of the worker has its place';
  const code = error instanceof UnsealError ? 'unseal_failed' : 'internal';
  const cause: Cause = { class: 'INTERNAL_ERROR', code, message };
  return { cause, retry: 'backoff', waitMs: 0, wholeDestination: false, ambiguous: true, mayLandLate: true };
}

/** A fault found before any call, that a person must mend. */
export function refusal(code: string, message: string, retry: 'never' | 'recheck' = 'never'): Failure {
  const cause: Cause = { class: 'CLIENT_SIDE_ERROR', code, message };
  return { cause, retry, waitMs: 0, wholeDestination: false, ambiguous: false, mayLandLate: false };
}

/** The same failure where nothing was asked of the store that could have had an effect. */
export function noCall(failure: Failure): Failure {
  return { ...failure, ambiguous: false, mayLandLate: false };
}

function fromConnector(error: ConnectorError): Failure {
  const message = error.requestId ? `${error.message} (request ${error.requestId})` : error.message;
  const shared = {
    waitMs: error.retryAfterMs ?? 0,
    wholeDestination: error.scope === 'destination',
    mayLandLate: error.kind === 'external',
  };
  const external: Cause = { class: 'EXTERNAL_SERVICE_ERROR', code: error.code, message };
  switch (error.kind) {
    case 'throttled':
      return {
        ...shared,
        cause: external,
        retry: 'wait',
        waitMs: error.retryAfterMs ?? 1000,
        ambiguous: error.partly,
      };
    case 'external':
      return { ...shared, cause: external, retry: 'backoff', ambiguous: true };
    case 'client':
    case 'exists':
    case 'missing':
      return {
        ...shared,
        cause: { ...external, class: 'CLIENT_SIDE_ERROR' },
        retry: error.final ? 'never' : 'slow',
        ambiguous: error.partly,
      };
  }
}

const SLOW_STEPS = [1, 2, 5, 15, 60];

/** How long a failure that may be mended outside is left alone, with jitter of a fifth; `first` is the first wait. */
export function slowMs(attempt: number, first: number): number {
  const factor = SLOW_STEPS[Math.min(attempt, SLOW_STEPS.length) - 1] ?? 1;
  return Math.round(first * factor * (0.8 + Math.random() * 0.4));
}

/** Exponential backoff with full jitter: between nothing and `min · 2^(attempt-1)`, at most `max`. */
export function backoffMs(attempt: number, limits: { min: number; max: number }): number {
  const ceiling = Math.min(limits.max, limits.min * 2 ** Math.min(attempt - 1, 30));
  return Math.round(Math.max(limits.min / 2, Math.random() * ceiling));
}
