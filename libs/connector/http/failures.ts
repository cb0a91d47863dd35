import { type CauseRow, type CauseCode, SHARED_CAUSES } from '../causes.ts';
import { ConnectorError, type FailureDetails, type FailureKind } from '../errors.ts';
import { type ReadHeader, readRequestId, readWaitMs, type SaidWait } from './headers.ts';
import { explainTransport } from './transport-errors.ts';

/** The parts of a store's answer that decide what a failure means. */
export type StoreAnswer = {
  /** The HTTP status; 0 if there was none. */
  status: number;
  header: ReadHeader;
  /** The store's own codes for the failure, the most exact one first. */
  codes?: string[];
  /** The name of the call in the rows. */
  operation?: string;
  /** Fills in `{word}` in messages. Only texts that may be shown. */
  words?: Record<string, string>;
  /** What the body says in addition to the headers. */
  said?: SaidWait & { requestId?: unknown };
};

/** One refusal of a store and its cause. A field that a row leaves out fits any answer. */
export type FailureRow<Code extends string> = Partial<Omit<FailureDetails, 'code' | 'requestId'>> & {
  codes?: string[];
  /** A status, or the lowest and the highest status. */
  status?: number | [lowest: number, highest: number];
  operations?: string[];
  fits?: (answer: StoreAnswer) => boolean;
  code: Code;
};

export type FailureTable<Own extends string> = {
  /** The name of the store for people. */
  store: string;
  /** The setting or variable that holds its address. */
  setting: string;
  /** How long to wait, in milliseconds, if the store throttles without naming a time. */
  limitWaitMs: number;
  /** Every failure fails the whole destination. */
  scope?: 'destination';
  /** Causes that only this store has. */
  causes?: Record<Own, CauseRow>;
  /** An answer that fits no row is judged by its HTTP status, in the same way for all stores. */
  rows: FailureRow<CauseCode | NoInfer<Own>>[];
};

type More = Partial<Omit<FailureDetails, 'code'>>;

/** What failures of one store mean. Nothing in it comes from the store's words, except the request id. */
export type Failures<Own extends string = never> = {
  causes: Record<Own, CauseRow>;
  rows: FailureRow<CauseCode | Own>[];
  /** The error for an answer that is no success. */
  describeAnswer: (answer: StoreAnswer) => ConnectorError;
  /** The error for a call that got no answer; undefined if it was no network error. */
  describeTransport: (error: unknown) => ConnectorError | undefined;
  /** A failure that the connector found itself. The cause gives whatever `more` leaves out. */
  fail: (code: CauseCode | Own, more?: More) => ConnectorError;
};

const BY_STATUS: FailureRow<CauseCode>[] = [
  { status: [300, 399], code: 'redirected' },
  { status: 401, code: 'credentials_refused' },
  { status: 403, code: 'permission_missing' },
  { status: 408, code: 'store_failed' },
  { status: 409, code: 'store_busy' },
  { status: 413, code: 'value_too_large' },
  { status: 423, code: 'store_busy' },
  { status: 425, code: 'store_busy' },
  { status: 429, code: 'rate_limited' },
  { status: [400, 499], code: 'request_refused' },
  { status: [502, 504], code: 'store_unavailable' },
  { status: [500, 599], code: 'store_failed' },
  { code: 'unexpected_answer' },
];

/** Turns a store's table of failures into the errors that its connector throws. */
export function defineFailures<Own extends string = never>(table: FailureTable<Own>): Failures<Own> {
  const { rows, causes = {} as Record<Own, CauseRow> } = table;
  const known: Record<string, CauseRow> = { ...SHARED_CAUSES, ...causes };
  const all: FailureRow<CauseCode | Own>[] = [...rows, ...BY_STATUS];

  function fail(code: CauseCode | Own, more: More = {}, words: Record<string, string> = {}): ConnectorError {
    const cause = known[code];
    if (!cause) throw new Error(`there is no cause ${code}`);
    const { message, action, ...details } = cause;
    const text = more.message ?? (action === undefined ? message : `${message} ${action}`);
    const filled = fillIn(text, { ...words, store: table.store, setting: table.setting });
    const scope = table.scope === undefined ? {} : { scope: table.scope };
    return new ConnectorError({ ...details, ...scope, ...more, code, message: filled });
  }

  return {
    causes,
    rows,
    fail: (code, more) => fail(code, more),
    describeTransport(error) {
      const found = explainTransport(error);
      if (!found) return undefined;
      const failure = fail(found.code, { message: withDetail(known[found.code], found.networkCode) });
      failure.unsent = found.isUnsent;
      return failure;
    },
    describeAnswer(answer) {
      const row = findRow(all, answer);
      const { code, codes: _codes, status: _status, operations: _operations, fits: _fits, ...more } = row;
      const kind = more.kind ?? known[code]?.kind;
      const usual = more.retryAfterMs ?? known[code]?.retryAfterMs;
      const retryAfterMs = isPassing(kind)
        ? (readWaitMs(answer.header, answer.said) ??
          usual ??
          (kind === 'throttled' ? table.limitWaitMs : undefined))
        : undefined;
      const requestId = readRequestId(answer.said?.requestId);
      return fail(
        code,
        {
          ...more,
          requestId,
          ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        },
        answer.words,
      );
    },
  };
}

// Only failures that pass by themselves have a time to wait.
function isPassing(kind: FailureKind | undefined): boolean {
  return kind === 'throttled' || kind === 'external';
}

// A row for a more exact code wins over one for a less exact code. A row without codes comes last.
function findRow<Code extends string>(rows: FailureRow<Code>[], answer: StoreAnswer): FailureRow<Code> {
  for (const code of [...(answer.codes ?? []), undefined]) {
    const row = rows.find((candidate) => fitsRow(candidate, answer, code));
    if (row) return row;
  }
  throw new Error('the last row fits every answer');
}

function fitsRow(row: FailureRow<string>, answer: StoreAnswer, code: string | undefined): boolean {
  if (code === undefined ? row.codes !== undefined : !row.codes?.includes(code)) return false;
  const [lowest, highest] =
    typeof row.status === 'number' ? [row.status, row.status] : (row.status ?? [0, 999]);
  if (answer.status < lowest || answer.status > highest) return false;
  if (row.operations && !row.operations.includes(answer.operation ?? '')) return false;
  return row.fits?.(answer) ?? true;
}

function withDetail(cause: CauseRow | undefined, networkCode: string): string {
  const { message = '', action } = cause ?? {};
  const sentence = /^(?:E[A-Z]+|EAI_\w+|HPE_\w+)$/.test(networkCode)
    ? message.replace(/\.$/, ` (${networkCode}).`)
    : message;
  return action === undefined ? sentence : `${sentence} ${action}`;
}

function fillIn(text: string, words: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => words[name] ?? placeholder);
}
