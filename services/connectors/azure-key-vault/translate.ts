import { ConnectorError } from '../../../libs/connector/errors.ts';
import { failures, type Operation, permissions } from './failures.ts';
import { readRequestId, readRetryAfterMs } from './waits.ts';

/** The parts of an SDK error that may be looked at; its message may hold the provider's body and is never used. */
type SdkError = {
  code?: unknown;
  statusCode?: unknown;
  details?: { error?: { innerError?: { code?: unknown } } };
  response?: { headers?: { get: (name: string) => string | undefined } };
};

/** What a failed call means; an error that is no answer of the vault is handed back as it is. */
export function translate(thrown: unknown, operation: Operation): unknown {
  if (!(thrown instanceof Error) || thrown instanceof ConnectorError) return thrown;
  const { code, statusCode: status, details, response } = thrown as SdkError;
  if (typeof status !== 'number') return thrown;
  const codes = [details?.error?.innerError?.code, code].filter((known) => typeof known === 'string');
  const row = failures.find(
    (failure) =>
      status >= failure.statuses[0] &&
      status <= failure.statuses[1] &&
      (failure.unnamed === undefined || codes.length === 0) &&
      (failure.codes === undefined || failure.codes.some((known) => codes.includes(known))) &&
      (failure.operations === undefined || failure.operations.includes(operation)),
  );
  if (!row) return thrown;

  const header = (name: string) => response?.headers?.get(name);
  const requestId = readRequestId(header('x-ms-request-id'));
  const retryAfterMs = readRetryAfterMs(header('retry-after'), header('date')) ?? row.retryAfterMs;
  return new ConnectorError({
    kind: row.kind,
    code: row.code,
    message: row.message
      .replaceAll('{operation}', operation)
      .replaceAll('{permission}', permissions[operation])
      .replaceAll('{status}', String(status)),
    ...(row.scope === undefined ? {} : { scope: row.scope }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  });
}
