const SECOND = 1000;
/**
 * The longest wait: a store that asks for more is called again after an hour. A wrong header must not stop a destination
 * for days.
 */
export const LONGEST_WAIT_MS = 3600 * SECOND;

/** Returns a header of an answer by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined;

/** What a body says about waiting, in addition to the headers. */
export type SaidWait = {
  /** Milliseconds from now. */
  waitMs?: number | undefined;
  /** Seconds since the epoch, by the clock of the store. */
  resetAt?: unknown;
};

/**
 * How long an answer asks us to wait, in milliseconds between a second and an hour. It is the longest of three:
 * `Retry-After`, a limit that is used up (`X-RateLimit-Reset`), and the body; undefined if none of them says. Times are
 * compared with the `Date` of the answer, so that a wrong clock here changes nothing. We parse it here: that takes two
 * lines, and the packages for it are young.
 */
export function readWaitMs(header: ReadHeader, said: SaidWait = {}): number | undefined {
  const now = readInstant(header('date')) ?? Date.now();
  const isUsedUp = (header('x-ratelimit-remaining') ?? '0') === '0';
  const resets = [isUsedUp ? header('x-ratelimit-reset') : undefined, said.resetAt].map(readNumber);
  const waits = [
    said.waitMs,
    readRetryAfter(header('retry-after'), now),
    ...resets.map((reset) => (reset === undefined ? undefined : reset * SECOND - now)),
  ].filter((wait) => wait !== undefined);
  if (waits.length === 0) return undefined;
  return Math.ceil(Math.min(LONGEST_WAIT_MS, Math.max(SECOND, ...waits)));
}

/** The first id that may be shown. An id of another shape is not a request id. */
export function readRequestId(...ids: unknown[]): string | undefined {
  return ids.find((id): id is string => typeof id === 'string' && /^[\w:.-]{1,128}$/.test(id));
}

/** Reads headers from a record with names in lower case. */
export function headersOf(record: Record<string, unknown>): ReadHeader {
  return (name) => {
    const value = record[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
  };
}

function readRetryAfter(text: string | undefined, now: number): number | undefined {
  const seconds = readNumber(text);
  if (seconds !== undefined) return seconds * SECOND;
  const instant = readInstant(text);
  return instant === undefined ? undefined : instant - now;
}

function readNumber(value: unknown): number | undefined {
  return /^\d{1,15}$/.test(String(value)) ? Number(value) : undefined;
}

function readInstant(text: string | undefined): number | undefined {
  const instant = Date.parse(text ?? '');
  return Number.isNaN(instant) ? undefined : instant;
}
