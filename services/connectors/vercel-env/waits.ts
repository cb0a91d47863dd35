const SECOND = 1000;
// Its limits count by the minute.
const UNKNOWN_WAIT = 60;
const LONGEST_WAIT = 24 * 60 * 60;

/**
 * How long a limit asks to wait, in milliseconds: the longest of what `Retry-After`, `X-RateLimit-Reset` and the body
 * (`bodyReset`, seconds since the epoch) say. Instants are measured against the store's own clock.
 */
export function readLimitWaitMs(headers: Headers, bodyReset: unknown): number {
  const now = readNow(headers);
  const resets = [readNumber(headers.get('x-ratelimit-reset')), readNumber(bodyReset)];
  const waits = [
    readRetryAfter(headers, now),
    ...resets.map((reset) => (reset === undefined ? undefined : reset - now)),
  ].filter((wait) => wait !== undefined);
  return bound(waits.length === 0 ? UNKNOWN_WAIT : Math.max(...waits));
}

/** `Retry-After` of an answer that is no limit; undefined where it has none. */
export function readRetryAfterMs(headers: Headers): number | undefined {
  const wait = readRetryAfter(headers, readNow(headers));
  return wait === undefined ? undefined : bound(wait);
}

function readRetryAfter(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after');
  const instant = Date.parse(text ?? '');
  return readNumber(text) ?? (Number.isNaN(instant) ? undefined : instant / SECOND - now);
}

function readNow(headers: Headers): number {
  const date = Date.parse(headers.get('date') ?? '');
  return (Number.isNaN(date) ? Date.now() : date) / SECOND;
}

function readNumber(value: unknown): number | undefined {
  return /^\d{1,12}$/.test(String(value)) ? Number(value) : undefined;
}

function bound(seconds: number): number {
  return Math.ceil(Math.min(LONGEST_WAIT, Math.max(1, seconds)) * SECOND);
}
