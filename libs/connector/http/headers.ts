const SECOND = 1000;
/** However long a store asks to wait, it is asked again after an hour: a wrong header must not stop a destination for days. */
export const LONGEST_WAIT_MS = 3600 * SECOND;

/** A header of an answer by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined;

/** What a body says about waiting, beside the headers. */
export type SaidWait = {
  /** Milliseconds from now. */
  waitMs?: number | undefined;
  /** Seconds since the epoch, by the clock of the store. */
  resetAt?: unknown;
};

/**
 * How long an answer asks to wait, in milliseconds between a second and an hour: the longest of what `Retry-After`, a used
 * up limit (`X-RateLimit-Reset`) and the body say; undefined where nothing says it. Instants are measured by the `Date` of
 * the answer, so that a wrong clock here changes nothing. Parsing it takes two lines, and the packages for it are young.
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

/** The first of the ids that may be shown; anything of another shape is no request id. */
export function readRequestId(...ids: unknown[]): string | undefined {
  return ids.find((id): id is string => typeof id === 'string' && /^[\w:.-]{1,128}$/.test(id));
}

/** Reads headers that are kept as a record with names in lower case. */
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
