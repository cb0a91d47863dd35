const SECOND = 1000;
const LONGEST_WAIT_MS = 3600 * SECOND;

/** How long an answer asks to wait (`Retry-After`: seconds or a date), in milliseconds; undefined where it says nothing. */
export function readRetryAfterMs(
  header: string | null | undefined,
  date?: string | null,
): number | undefined {
  if (!header) return undefined;
  if (/^\d{1,9}$/.test(header)) return clamp(Number(header) * SECOND);
  const until = Date.parse(header);
  // Against the far side's own clock, so that a wrong one here changes nothing.
  const now = Date.parse(date ?? '');
  return Number.isNaN(until) ? undefined : clamp(until - (Number.isNaN(now) ? Date.now() : now));
}

/** A request id that may be shown; anything of another shape is not one. */
export function readRequestId(id: unknown): string | undefined {
  return typeof id === 'string' && /^[\w-]{1,128}$/.test(id) ? id : undefined;
}

function clamp(ms: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(SECOND, ms));
}
