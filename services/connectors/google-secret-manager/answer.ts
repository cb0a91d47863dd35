import type { IncomingHttpHeaders } from 'node:http';

/** What a refused call was answered with, as far as a failure is told from it. */
export type Answer = {
  /** The HTTP status. */
  status: number;
  /** Google's canonical code, such as `NOT_FOUND`; empty where something else than its API answered. */
  code: string;
  /** The machine-readable reason of `google.rpc.ErrorInfo`; empty where there is none. */
  reason: string;
  /** The permission that was missing, where the answer names it. */
  permission: string | undefined;
  retryAfterMs: number | undefined;
  requestId: string | undefined;
};

type Fields = Record<string, unknown>;

const LONGEST_WAIT_MS = 3_600_000;

/** A call was answered with something that is no result. The answer's own words stay out of it. */
export class RefusedError extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`answered with HTTP status ${answer.status}`);
    this.name = 'RefusedError';
    this.answer = answer;
  }
}

/** Reads Google's error body; one that is none leaves everything but the status empty. */
export function readAnswer(status: number, headers: IncomingHttpHeaders, text: string): Answer {
  const error = readError(text);
  const details = (Array.isArray(error['details']) ? error['details'] : []).map(asObject);
  const detail = (type: string): Fields =>
    details.find((one) => one['@type'] === `type.googleapis.com/google.rpc.${type}`) ?? {};
  const info = detail('ErrorInfo');
  const permission = asObject(info['metadata'])['permission'];
  return {
    status,
    code: typeof error['status'] === 'string' ? error['status'] : '',
    reason: typeof info['reason'] === 'string' ? info['reason'] : '',
    permission: typeof permission === 'string' && /^[\w.]{1,100}$/.test(permission) ? permission : undefined,
    retryAfterMs: readDelay(detail('RetryInfo')['retryDelay']) ?? readRetryAfter(headers),
    requestId: readRequestId(detail('RequestInfo')['requestId']) ?? readRequestId(headers['x-request-id']),
  };
}

// Some front ends wrap the one error in a list.
function readError(text: string): Fields {
  try {
    const body: unknown = JSON.parse(text);
    return asObject(asObject(Array.isArray(body) ? body[0] : body)['error']);
  } catch {
    return {};
  }
}

// A protobuf duration: seconds with a fraction and an `s`.
function readDelay(delay: unknown): number | undefined {
  const match = /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(typeof delay === 'string' ? delay : '');
  return match ? limitWait(Number(match[1]) * 1000) : undefined;
}

function readRetryAfter(headers: IncomingHttpHeaders): number | undefined {
  const given = headers['retry-after'];
  if (given === undefined) return undefined;
  if (/^\d{1,9}$/.test(given)) return limitWait(Number(given) * 1000);
  // Measured by the far side's clock: ours may be wrong.
  const now = Date.parse(headers.date ?? '') || Date.now();
  const until = Date.parse(given);
  return Number.isNaN(until) ? undefined : limitWait(until - now);
}

function limitWait(ms: number): number | undefined {
  return ms > 0 ? Math.min(Math.ceil(ms), LONGEST_WAIT_MS) : undefined;
}

function readRequestId(id: unknown): string | undefined {
  return typeof id === 'string' && /^[\w-]{1,128}$/.test(id) ? id : undefined;
}

function asObject(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
