import type { FailureDetails } from '../../../libs/connector/errors.ts';

const TLS_PROBLEM = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL_|^EPROTO$/;

/** What it means that a call got no answer; undefined where the error is none of the network's. */
export function describeTransport(error: unknown): FailureDetails | undefined {
  const code = readCode(error);
  if (code === 'ABORT_ERR')
    return { kind: 'external', code: 'interrupted', message: 'The call was stopped before its end.' };
  if (code === 'CALL_TIMEOUT')
    return {
      kind: 'external',
      code: 'timed_out',
      message: 'The service did not answer in time; it is tried again.',
      scope: 'destination',
    };
  if (code === 'EGRESS_REFUSED')
    return {
      kind: 'client',
      code: 'egress_refused',
      message:
        'The universe_domain of the credentials leads to an address that only the operator can allow (EGRESS_ALLOW).',
      scope: 'destination',
    };
  if (code === 'ANSWER_TOO_LONG') return unexpectedAnswer();
  // Whoever runs the machine in between may mend it without telling us, so it is tried again.
  if (TLS_PROBLEM.test(code))
    return {
      kind: 'external',
      code: 'tls_failed',
      message: 'No trusted connection could be made: check the network, and NODE_EXTRA_CA_CERTS.',
      scope: 'destination',
    };
  if (/^(?:E[A-Z_]+|HPE_\w+)$/.test(code))
    return {
      kind: 'external',
      code: 'unreachable',
      message: `The service could not be reached (${code}): check the network.`,
      scope: 'destination',
    };
  return undefined;
}

/** Something else than the API answered. */
export function unexpectedAnswer(): FailureDetails {
  return {
    kind: 'external',
    code: 'unexpected_answer',
    message: 'The answer was not one of Google Secret Manager: something in between may have sent it.',
  };
}

// The SDK wraps the network's error; several failed addresses of one name are an AggregateError.
function readCode(error: unknown): string {
  let current = error;
  for (let depth = 0; depth < 6 && current instanceof Error; depth += 1) {
    if (current.name === 'AbortError') return 'ABORT_ERR';
    const inner: unknown = current instanceof AggregateError ? current.errors[0] : current.cause;
    if (!(inner instanceof Error))
      return 'code' in current && typeof current.code === 'string' ? current.code : '';
    current = inner;
  }
  return '';
}
