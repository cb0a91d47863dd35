import { type Cause, type CauseCode, SHARED_CAUSES } from '../causes.ts';
import { ConnectorError, type FailureDetails, type FailureKind } from '../errors.ts';
import { type ReadHeader, readRequestId, readWaitMs, type SaidWait } from './headers.ts';
import { explainTransport } from './transport-errors.ts';

/** What a store answered, as far as a failure is told from it. */
export type Answer = {
  /** The HTTP status; 0 where there was none. */
  status: number;
  header: ReadHeader;
  /** The store's own codes for it, the most exact one first. */
  codes?: string[];
  /** The call, by the name that the rows know it by. */
  operation?: string;
  /** Fills in `{word}` in messages. Only texts that may be shown. */
  words?: Record<string, string>;
  /** What the body says beside the headers. */
  said?: SaidWait & { requestId?: unknown };
};

/** One refusal of a store and its cause; what a row leaves out fits any answer. */
export type FailureRow<Code extends string> = Partial<Omit<FailureDetails, 'code' | 'requestId'>> & {
  codes?: string[];
  /** A status, or the lowest and the highest. */
  status?: number | [lowest: number, highest: number];
  operations?: string[];
  fits?: (answer: Answer) => boolean;
  code: Code;
};

export type FailureTable<Own extends string> = {
  /** The store as people know it. */
  store: string;
  /** The setting or variable that leads to it. */
  setting: string;
  /** How long a limit without a time is waited for, in milliseconds. */
  limitWaitMs: number;
  /** Every failure of it fails the whole destination. */
  scope?: 'destination';
  /** Causes that only this store has. */
  causes?: Record<Own, Cause>;
  /** What is in no row is judged by its HTTP status, alike for all stores. */
  rows: FailureRow<CauseCode | NoInfer<Own>>[];
};

type More = Partial<Omit<FailureDetails, 'code'>>;

/** What failures of one store mean. None of it holds a word that the store sent, except its request id. */
export type Failures<Own extends string = never> = {
  causes: Record<Own, Cause>;
  rows: FailureRow<CauseCode | Own>[];
  /** An answer that is no success. */
  describeAnswer: (answer: Answer) => ConnectorError;
  /** A call that got no answer; undefined where the error is none of the network's. */
  describeTransport: (error: unknown) => ConnectorError | undefined;
  /** A failure found here; what `more` leaves out is as the cause says. */
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

/** Makes a store's table of failures into what its connector throws. */
export function defineFailures<Own extends string = never>(table: FailureTable<Own>): Failures<Own> {
  const { rows, causes = {} as Record<Own, Cause> } = table;
  const known: Record<string, Cause> = { ...SHARED_CAUSES, ...causes };
  const all: FailureRow<CauseCode | Own>[] = [...rows, ...BY_STATUS];

  function fail(code: CauseCode | Own, more: More = {}, words: Record<string, string> = {}): ConnectorError {
    const cause = known[code];
    if (!cause) throw new Error(`no such cause: ${code}`);
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
      return fail(found.code, { message: withDetail(known[found.code], found.networkCode) });
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

// Only what passes by itself is waited for.
function isPassing(kind: FailureKind | undefined): boolean {
  return kind === 'throttled' || kind === 'external';
}

// A row for the most exact code counts before one for a less exact one, and both before one for none.
function findRow<Code extends string>(rows: FailureRow<Code>[], answer: Answer): FailureRow<Code> {
  for (const code of [...(answer.codes ?? []), undefined]) {
    const row = rows.find((candidate) => fitsRow(candidate, answer, code));
    if (row) return row;
  }
  throw new Error('the last row fits every answer');
}

function fitsRow(row: FailureRow<string>, answer: Answer, code: string | undefined): boolean {
  if (code === undefined ? row.codes !== undefined : !row.codes?.includes(code)) return false;
  const [lowest, highest] =
    typeof row.status === 'number' ? [row.status, row.status] : (row.status ?? [0, 999]);
  if (answer.status < lowest || answer.status > highest) return false;
  if (row.operations && !row.operations.includes(answer.operation ?? '')) return false;
  return row.fits?.(answer) ?? true;
}

function withDetail(cause: Cause | undefined, networkCode: string): string {
  const { message = '', action } = cause ?? {};
  const told = /^(?:E[A-Z]+|EAI_\w+|HPE_\w+)$/.test(networkCode)
    ? message.replace(/\.$/, ` (${networkCode}).`)
    : message;
  return action === undefined ? told : `${told} ${action}`;
}

function fillIn(text: string, words: Record<string, string>): string {
  return text.replaceAll(/\{(\w+)\}/g, (placeholder, name: string) => words[name] ?? placeholder);
}
