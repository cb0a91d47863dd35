import { ConnectorError, type FailureDetails } from '../../../libs/connector/errors.ts';

const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
]);

/** What it means that a call got no answer; undefined where the error is none of the network's. */
export function describeTransport(error: unknown): ConnectorError | undefined {
  const details = explain(readCode(error));
  return details && new ConnectorError(details);
}

function explain(code: string): FailureDetails | undefined {
  if (code === 'EGRESS_REFUSED')
    return {
      kind: 'client',
      code: 'egress_refused',
      scope: 'destination',
      message:
        'The enterprise_url may not be called: it is not https or leads to a special-purpose address; the operator can allow it with EGRESS_ALLOW.',
    };
  if (code === 'ABORT_ERR')
    return {
      kind: 'external',
      code: 'call_stopped',
      message: 'The call was stopped before GitHub answered.',
    };
  if (code === 'CALL_TIMEOUT' || code === 'ETIMEDOUT')
    return {
      kind: 'external',
      code: 'timeout',
      scope: 'destination',
      message: 'GitHub did not answer in time.',
    };
  if (UNREACHABLE.has(code))
    return {
      kind: 'external',
      code: 'unreachable',
      scope: 'destination',
      message: 'GitHub cannot be reached: the name does not resolve or nothing answers there.',
    };
  if (code === 'ANSWER_TOO_LONG')
    return {
      kind: 'external',
      code: 'unexpected_answer',
      message: "Something other than GitHub's API answered; a proxy may stand between.",
    };
  if (/^EPROTO$|^ERR_SSL_/.test(code))
    return {
      kind: 'external',
      code: 'tls_failed',
      scope: 'destination',
      message: 'The server does not speak TLS there; check the port of enterprise_url.',
    };
  // Whoever runs the server may mend it without telling us, so it is tried again.
  if (/CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/.test(code))
    return {
      kind: 'external',
      code: 'certificate_refused',
      scope: 'destination',
      message: "The server's certificate is not trusted here; add its authority with NODE_EXTRA_CA_CERTS.",
    };
  if (/^(E[A-Z]+|HPE_\w+)$/.test(code))
    return {
      kind: 'external',
      code: 'connection_lost',
      message: 'The connection to GitHub broke before the answer was complete.',
    };
  return undefined;
}

// The SDK puts the network's error in `cause`; several failed addresses of one name are an AggregateError.
function readCode(error: unknown): string {
  for (let depth = 0; depth < 5 && error instanceof Error; depth += 1) {
    if (error.name === 'AbortError') return 'ABORT_ERR';
    if ('code' in error && typeof error.code === 'string') return error.code;
    error = error instanceof AggregateError ? error.errors[0] : error.cause;
  }
  return '';
}
