import { ConnectorError, type FailureDetails } from '../../../libs/connector/errors.ts';
import { RefusedError, type Answer } from './answer.ts';
import { failures, type Failure } from './failures.ts';
import { PERMISSIONS, type Operation } from './permissions.ts';
import { describeTransport, unexpectedAnswer } from './transport-failures.ts';

/**
 * What a failed call means. The SDK's own errors hold the request, and with it the value: none of them is passed on,
 * not even as a cause.
 */
export function translate(thrown: unknown, operation: Operation): Error {
  if (thrown instanceof ConnectorError) return thrown;
  const refused = findRefusal(thrown);
  if (refused) return fromAnswer(refused.answer, operation);
  const details = describeTransport(thrown);
  if (details) return new ConnectorError(details);
  // The SDK could not read what came with a good status.
  if (thrown instanceof SyntaxError) return new ConnectorError(unexpectedAnswer());
  const name = thrown instanceof Error && /^\w{1,40}$/.test(thrown.name) ? thrown.name : 'unknown error';
  return new Error(`the SDK failed in ${operation} (${name})`);
}

function fromAnswer(answer: Answer, operation: Operation): ConnectorError {
  const details = findInTable(answer, operation) ?? judgeByStatus(answer, operation);
  const retryAfterMs = answer.retryAfterMs ?? details.retryAfterMs;
  return new ConnectorError({
    ...details,
    ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}

function findInTable({ reason, code, permission }: Answer, operation: Operation): FailureDetails | undefined {
  const fits = (error: string) => (row: Failure) =>
    row.errors.includes(error) && (row.operations === undefined || row.operations.includes(operation));
  const row = failures.find(fits(reason)) ?? failures.find(fits(code));
  if (!row) return undefined;
  const { errors: _errors, operations: _operations, message, ...details } = row;
  return {
    ...details,
    message: message
      .replaceAll('{operation}', operation)
      .replaceAll('{permission}', permission ?? PERMISSIONS[operation]),
  };
}

// A code that is in no table, or no answer of the API at all.
function judgeByStatus({ status, code }: Answer, operation: Operation): FailureDetails {
  if (status === 429)
    return {
      kind: 'throttled',
      code: 'rate_limited',
      message: 'The service asks to wait.',
      retryAfterMs: 60_000,
      scope: 'destination',
    };
  if (status >= 500)
    return {
      kind: 'external',
      code: 'store_failed',
      message: 'The service failed on its side; it is tried again.',
    };
  if (status >= 400 && code !== '')
    return {
      kind: 'client',
      code: 'refused',
      message: `${operation} was refused with HTTP status ${status}.`,
    };
  if (status >= 300 && status < 400)
    return {
      kind: 'external',
      code: 'redirected',
      message: 'The address answered with a redirect, which is not followed: check the network.',
      scope: 'destination',
    };
  return unexpectedAnswer();
}

function findRefusal(thrown: unknown): RefusedError | undefined {
  let current = thrown;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if (current instanceof RefusedError) return current;
    current = current.cause;
  }
  return undefined;
}
