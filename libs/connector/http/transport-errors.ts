import { isUnsent } from '../../egress/exchange.ts';
import type { CauseCode } from '../causes.ts';

/** What each network error code means; the first row that fits counts. */
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

// SDKs wrap the network error in errors of their own, but never deeper than this.
const DEEPEST = 6;

type Explained = { code: CauseCode; networkCode: string; isUnsent: boolean };

/**
 * What an error means for a call without an answer, with the network error code, and whether nothing of the call went out;
 * undefined if it is no network error.
 */
export function explainTransport(error: unknown): Explained | undefined {
  const networkCode = readNetworkCode(error);
  const row = ROWS.find(([codes]) => codes.test(networkCode));
  return row && { code: row[1], networkCode, isUnsent: [...causesOf(error)].some(isUnsent) };
}

/**
 * An error and its causes, from the outermost to the innermost. If several addresses of one name failed, the error is an
 * AggregateError.
 */
export function* causesOf(error: unknown): Generator<Error> {
  let current = error;
  for (let depth = 0; depth < DEEPEST && current instanceof Error; depth += 1) {
    yield current;
    current = current instanceof AggregateError ? current.errors[0] : current.cause;
  }
}

// The code of the innermost error that has one: an SDK may give the outer errors codes of its own.
function readNetworkCode(error: unknown): string {
  let code = '';
  for (const cause of causesOf(error)) {
    if (cause.name === 'AbortError') return 'ABORT_ERR';
    if ('code' in cause && typeof cause.code === 'string') code = cause.code;
  }
  return code;
}
