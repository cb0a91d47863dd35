import type { CauseCode } from '../causes.ts';

/** What each code of the network means; the first row that fits counts. */
const ROWS: [codes: RegExp, cause: CauseCode][] = [
  [/^ABORT_ERR$/, 'call_interrupted'],
  [/^EGRESS_REFUSED$/, 'egress_refused'],
  [/^EGRESS_LIMITED$/, 'egress_limited'],
  [/^(?:CALL_TIMEOUT|ETIMEDOUT)$/, 'timed_out'],
  [/^ANSWER_TOO_LONG$/, 'unexpected_answer'],
  [/^(?:ECONNREFUSED|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|ENOTFOUND|EAI_\w+)$/, 'unreachable'],
  [/^EPROTO$|^ERR_SSL_/, 'tls_failed'],
  [/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS/, 'certificate_refused'],
  [/^(?:E[A-Z]+|HPE_\w+)$/, 'connection_lost'],
];

// SDKs wrap the network's error in their own; deeper than this none does.
const DEEPEST = 6;

/** What it means that a call got no answer, with the code of the network; undefined where the error is none of the network's. */
export function explainTransport(error: unknown): { code: CauseCode; networkCode: string } | undefined {
  const networkCode = readNetworkCode(error);
  const row = ROWS.find(([codes]) => codes.test(networkCode));
  return row && { code: row[1], networkCode };
}

/** An error, and what caused it, from the outside in. Several failed addresses of one name are an AggregateError. */
export function* causesOf(error: unknown): Generator<Error> {
  let current = error;
  for (let depth = 0; depth < DEEPEST && current instanceof Error; depth += 1) {
    yield current;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
}

// Of the innermost error that has a code: an SDK may give its own to what wraps it.
function readNetworkCode(error: unknown): string {
  let code = '';
  for (const cause of causesOf(error)) {
    if (cause.name === 'AbortError') return 'ABORT_ERR';
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
  }
  return code;
}
