const UNIT_SECONDS: Record<string, number> = {
  d: 86_400,
  h: 3600,
  m: 60,
  s: 1,
  ms: 1e-3,
  us: 1e-6,
  ns: 1e-9,
};

// The most that 64 bits of nanoseconds can hold, which is the longest time that clients can read.
const LONGEST_SECONDS = 9_223_372_036;
// Enough for every unit several times.
const LONGEST_TEXT = 100;

/**
 * Seconds from a number (`60`), a number as text, or a text with units (`1h30m`, `-1s`). Fractions of a second count as a
 * whole one. Undefined for any other text.
 */
export function parseDuration(input: string | number): number | undefined {
  const text = String(input).trim();
  if (text.length > LONGEST_TEXT) return undefined;
  const seconds = /^[+-]?\d+$/.test(text) ? Number(text) : parseUnits(text);
  if (seconds === undefined || Math.abs(seconds) > LONGEST_SECONDS) return undefined;
  // `+ 0` turns a negative zero into zero; it would be written with its sign.
  return Math.sign(seconds) * Math.ceil(Math.abs(seconds)) + 0;
}

/** Seconds in the form that clients expect: `0s`, `1m30s`, `1h0m0s`. */
export function formatDuration(seconds: number): string {
  const sign = seconds < 0 ? '-' : '';
  const total = Math.abs(seconds);
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60];
  if (hours > 0) return `${sign}${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${sign}${minutes}m${rest}s` : `${sign}${rest}s`;
}

function parseUnits(text: string): number | undefined {
  if (text === '') return 0;
  if (!/^[+-]?(?:\d+(?:\.\d+)?(?:ns|us|ms|d|h|m|s))+$/.test(text)) return undefined;
  let seconds = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|ms|d|h|m|s)/g)) {
    seconds += Number(amount) * (UNIT_SECONDS[unit ?? ''] ?? 0);
  }
  return text.startsWith('-') ? -seconds : seconds;
}
