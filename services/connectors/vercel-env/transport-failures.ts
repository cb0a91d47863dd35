import { ConnectorError, type FailureDetails } from '../../../libs/connector/errors.ts';

type Row = Omit<FailureDetails, 'kind'> & { codes: RegExp };

/** What it means that a call got no answer, by the network's code; the first row that fits counts. */
const TABLE: Row[] = [
  {
    codes: /^ABORT_ERR$/,
    code: 'call_stopped',
    message: 'The call was stopped before Vercel answered.',
  },
  {
    codes: /^(?:CALL_TIMEOUT|ETIMEDOUT)$/,
    code: 'timeout',
    scope: 'destination',
    message: 'Vercel did not answer in time.',
  },
  {
    codes: /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EAI_FAIL)$/,
    code: 'unreachable',
    scope: 'destination',
    message: 'Vercel cannot be reached: its name does not resolve or nothing answers there.',
  },
  {
    codes: /^ANSWER_TOO_LONG$/,
    code: 'unexpected_answer',
    message: "Something other than Vercel's API answered; a proxy may stand between.",
  },
  {
    // Also a proxy that breaks TLS open; whoever runs it may mend it without telling us.
    codes: /^EPROTO$|^ERR_SSL_|CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/,
    code: 'tls_failed',
    scope: 'destination',
    message:
      'No trusted TLS connection to Vercel; where a proxy stands between, add its authority with NODE_EXTRA_CA_CERTS.',
  },
  {
    codes: /^(?:E[A-Z]+|HPE_\w+)$/,
    code: 'connection_lost',
    message: 'The connection to Vercel broke before the answer was complete.',
  },
];

/** A failure of the network as the decision it means; undefined where the error is none of the network's. */
export function describeTransport(error: unknown): ConnectorError | undefined {
  const code = readCode(error);
  const row = TABLE.find(({ codes }) => codes.test(code));
  if (!row) return undefined;
  const { codes: _codes, ...details } = row;
  return new ConnectorError({ ...details, kind: 'external' });
}

// The SDK wraps the network's error in one or two of its own; failed addresses of one name come together.
function readCode(error: unknown): string {
  let at = error;
  for (let depth = 0; depth < 6 && at instanceof Error; depth += 1) {
    if (at.name === 'AbortError') return 'ABORT_ERR';
    if ('code' in at && typeof at.code === 'string') return at.code;
    at = at instanceof AggregateError ? at.errors[0] : at.cause;
  }
  return '';
}
