export type Headers = Record<string, string | number | undefined>;

const SECOND = 1000;
// The manual's advice for a limit that names no time.
const UNKNOWN_WAIT_MS = 60 * SECOND;
const LONGEST_WAIT_MS = 24 * 60 * 60 * SECOND;

/**
 * How long the store asked to wait, in milliseconds. Times of day are measured against the store's own `Date`, so that a
 * wrong clock here neither shortens nor lengthens the wait. Undefined where nothing was said and `limited` is false.
 */
export function readWaitMs(headers: Headers, limited: boolean): number | undefined {
  const now = readInstant(headers['date']) ?? Date.now();
  const waits = [readRetryAfter(headers['retry-after'], now)];
  if (headers['x-ratelimit-remaining'] === '0') {
    const reset = readNumber(headers['x-ratelimit-reset']);
    waits.push(reset === undefined ? undefined : reset * SECOND - now);
  }
  const said = waits.filter((wait) => wait !== undefined);
  if (said.length === 0) return limited ? UNKNOWN_WAIT_MS : undefined;
  return Math.min(LONGEST_WAIT_MS, Math.max(SECOND, ...said));
}

function readRetryAfter(header: string | number | undefined, now: number): number | undefined {
  const seconds = readNumber(header);
  if (seconds !== undefined) return seconds * SECOND;
  const instant = readInstant(header);
  return instant === undefined ? undefined : instant - now;
}

function readNumber(header: string | number | undefined): number | undefined {
  return /^\d{1,15}$/.test(String(header)) ? Number(header) : undefined;
}

function readInstant(header: string | number | undefined): number | undefined {
  const instant = Date.parse(String(header));
  return Number.isNaN(instant) ? undefined : instant;
}
