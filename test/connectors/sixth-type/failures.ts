import { ConnectorError, type FailureDetails } from '../../../libs/connector/errors.ts';

const ANSWERS: Record<number, FailureDetails> = {
  401: {
    kind: 'client',
    code: 'bad_credentials',
    scope: 'destination',
    message: 'Lockbox does not accept the access_key: it is wrong or revoked; set a new one.',
  },
  403: {
    kind: 'client',
    code: 'permission_missing',
    scope: 'destination',
    message: 'The account of the access_key may not use the box; give it the right to write there.',
  },
  404: { kind: 'missing', code: 'not_found', message: 'There is no such item.' },
  409: { kind: 'exists', code: 'name_taken', message: 'There is an item of that name already.' },
  413: { kind: 'client', code: 'value_too_large', message: 'Lockbox takes values of at most 16 KiB.' },
  422: { kind: 'client', code: 'item_refused', message: 'Lockbox refused the name or the value.' },
};

const NETWORK: Record<string, FailureDetails> = {
  EGRESS_REFUSED: {
    kind: 'client',
    code: 'egress_refused',
    scope: 'destination',
    message: 'The address leads to a place that may not be called; the operator can allow it (EGRESS_ALLOW).',
  },
  ECONNREFUSED: {
    kind: 'external',
    code: 'unreachable',
    scope: 'destination',
    message: 'Nothing answers at the address.',
  },
  CALL_TIMEOUT: {
    kind: 'external',
    code: 'timeout',
    scope: 'destination',
    message: 'Lockbox did not answer in time.',
  },
  ABORT_ERR: { kind: 'external', code: 'call_stopped', message: 'The call was stopped before the answer.' },
};

/** What an answer that is no success means. Nothing of its body is shown: it may hold anything. */
export function describeAnswer(status: number, retryAfter: string | null): ConnectorError {
  const seconds = Number(retryAfter ?? 1);
  if (status === 429) {
    return new ConnectorError({
      kind: 'throttled',
      code: 'rate_limited',
      scope: 'destination',
      message: 'Lockbox asked to wait.',
      retryAfterMs: (Number.isFinite(seconds) ? seconds : 1) * 1000,
    });
  }
  const known = ANSWERS[status];
  if (known) return new ConnectorError(known);
  return new ConnectorError({
    kind: 'external',
    code: status >= 500 ? 'store_error' : 'unexpected_answer',
    message: `Lockbox failed or something else answered (HTTP ${status}).`,
  });
}

/** What it means that no answer came. */
export function describeNetwork(error: unknown): ConnectorError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const aborted = error instanceof Error && error.name === 'AbortError';
  return new ConnectorError(
    NETWORK[aborted ? 'ABORT_ERR' : code] ?? {
      kind: 'external',
      code: 'connection_lost',
      message: 'The connection to Lockbox broke before the answer was complete.',
    },
  );
}
