import { UnsealError } from '../../crypto/seal.ts';
import type { Cause } from '../../store/orders/order.ts';
import { ConnectorError } from '../../connector/errors.ts';
import type { Engine, PushRun } from '../engine.ts';
import { isOutOfTime } from './call-limit.ts';
import type { Failure, StepOutcome, PushProgress } from '../order.ts';

/** The one place where an error becomes a decision. */
export function toFailure(error: unknown): Failure {
  if (error instanceof ConnectorError) return fromConnector(error);
  const message =
    error instanceof UnsealError
      ? 'the secret could not be decrypted with the configured master keys; nothing was changed in the store'
      : 'an unexpected error; the log of the worker has the details';
  const code = error instanceof UnsealError ? 'unseal_failed' : 'internal';
  const cause: Cause = { class: 'INTERNAL_ERROR', code, message };
  return { cause, retry: 'backoff', waitMs: 0, wholeDestination: false, ambiguous: true, mayLandLate: true };
}

/** A fault that we found before any call and that a person must fix. */
export function refusal(code: string, message: string, retry: 'never' | 'recheck' = 'never'): Failure {
  const cause: Cause = { class: 'CLIENT_SIDE_ERROR', code, message };
  return { cause, retry, waitMs: 0, wholeDestination: false, ambiguous: false, mayLandLate: false };
}

/** The same failure, if no call that could have an effect was made. */
export function noCall(failure: Failure): Failure {
  return { ...failure, ambiguous: false, mayLandLate: false };
}

function fromConnector(error: ConnectorError): Failure {
  const message = error.requestId ? `${error.message} (request ${error.requestId})` : error.message;
  const shared = {
    waitMs: error.retryAfterMs ?? 0,
    wholeDestination: error.scope === 'destination',
    mayLandLate: error.kind === 'external' && !error.unsent,
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
      // Even if nothing of this call went out: an earlier call may have, whose worker has not told its result yet.
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

/** Turns an error into a decision. Logs an unforeseen error, without its text. */
export function toLoggedFailure(error: unknown, engine: Engine): Failure {
  const failure = toFailure(error);
  if (failure.cause.class === 'INTERNAL_ERROR')
    engine.context.log.error({ error }, 'a push failed unexpectedly');
  return failure;
}

/** Whether the failure only means that the order must wait. */
export function isInterruption(failure: Failure, { engine }: PushRun): boolean {
  return failure.retry === 'wait' || engine.stop.aborted;
}

/** The failures among some outcomes, in their order. */
export function failuresOf(outcomes: readonly StepOutcome[]): Failure[] {
  const failures: Failure[] = [];
  for (const { failure } of outcomes) if (failure) failures.push(failure);
  return failures;
}

/**
 * Why an order may make no further call; undefined if it may. `later`: its time is up, or the store asked to wait. If
 * the whole destination fails, the rest of the order fails in the same way, without a call.
 */
export function blockage({ outcomes }: PushProgress, run: PushRun): Failure | 'later' | undefined {
  const failures = failuresOf(outcomes);
  const whole = failures.find((failure) => failure.wholeDestination && failure.retry !== 'wait');
  if (whole) return noCall(whole);
  return isOutOfTime(run) || failures.some((failure) => failure.retry === 'wait') ? 'later' : undefined;
}
