import { ConnectorError, type FailureDetails } from '../../../libs/connector/errors.ts';
import { failures } from './failures.ts';

/** The parts of an SDK error that may be looked at; its message may hold the provider's body and is never used. */
type SdkError = {
  name?: unknown;
  code?: unknown;
  $metadata?: { httpStatusCode?: unknown; requestId?: unknown };
  $response?: { headers?: Record<string, unknown> };
};

function readRequestId(error: SdkError): string | undefined {
  const id = error.$metadata?.requestId;
  return typeof id === 'string' && /^[\w-]{1,128}$/.test(id) ? id : undefined;
}

function readRetryAfterMs(error: SdkError): number | undefined {
  const seconds = Number(error.$response?.headers?.['retry-after']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, 3600) * 1000 : undefined;
}

function findInTable(error: SdkError, operation: string): FailureDetails | undefined {
  const row = failures.find(
    ({ errors, operations }) =>
      errors.includes(String(error.name)) && (operations === undefined || operations.includes(operation)),
  );
  if (!row) return undefined;
  const { errors: _errors, operations: _operations, message, ...details } = row;
  return { ...details, message: message.replaceAll('{operation}', operation) };
}

// A refusal of a name that is in no table: newer than this code, or not from the service at all.
function judgeByStatus(status: number, operation: string): FailureDetails {
  if (status === 429)
    return {
      kind: 'throttled',
      code: 'rate_limited',
      message: 'The service asks to wait.',
      retryAfterMs: 1000,
      scope: 'destination',
    };
  if (status >= 500)
    return {
      kind: 'external',
      code: 'store_failed',
      message: 'The service failed on its side; it is tried again.',
    };
  if (status >= 400)
    return {
      kind: 'client',
      code: 'refused',
      message: `${operation} was refused with HTTP status ${status}.`,
    };
  if (status >= 300)
    return {
      kind: 'external',
      code: 'redirected',
      message:
        'The address answered with a redirect, which is not followed: check the endpoint and the network.',
      scope: 'destination',
    };
  return {
    kind: 'external',
    code: 'unexpected_answer',
    message: 'The answer was not one of AWS Secrets Manager: something in between may have sent it.',
  };
}

function unanswered(code: string): FailureDetails {
  if (code === 'CALL_TIMEOUT' || code === 'ETIMEDOUT')
    return {
      kind: 'external',
      code: 'timed_out',
      message: 'The service did not answer in time; it is tried again.',
      scope: 'destination',
    };
  const reason = /^[A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : '';
  return {
    kind: 'external',
    code: 'unreachable',
    message: `The service could not be reached${reason}: check region and network.`,
    scope: 'destination',
  };
}

/** What a failed call means; an error that came neither from the service nor from the network is handed back as it is. */
export function translate(thrown: unknown, operation: string): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ConnectorError) return thrown;
  const error = thrown as SdkError;
  const status = error.$metadata?.httpStatusCode;
  const details =
    findInTable(error, operation) ??
    (typeof status === 'number' ? judgeByStatus(status, operation) : undefined) ??
    (typeof error.code === 'string' ? unanswered(error.code) : undefined);
  if (!details) return thrown;

  const requestId = readRequestId(error);
  const retryAfterMs = readRetryAfterMs(error) ?? details.retryAfterMs;
  return new ConnectorError({
    ...details,
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
