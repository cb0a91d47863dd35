/** The days of a week, as quiet hours name them. */
export const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/**
 * Times of a day (`HH:MM`) between which nobody wants to be disturbed, on the days on which they begin; no day means
 * every day. They end on the next day if `quiet_to` is not later. No hours: all empty.
 */
export type QuietHours = {
  quiet_from: string;
  quiet_to: string;
  quiet_days: string[];
  quiet_time_zone: string;
};

const MINUTE_MS = 60_000;
// No zone's clock is changed by more.
const LONGEST_SHIFT_MS = 3 * 60 * MINUTE_MS;
const DAY_MINUTES = 24 * 60;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Whether a name is that of a time zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(name)) return false;
  try {
    // Not kept: people may ask for any spelling.
    return new Intl.DateTimeFormat('en-GB', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Whether quiet hours are set, and leave no time at all. */
export function areEndless({ quiet_from: from, quiet_to: to, quiet_days: days }: QuietHours): boolean {
  return from !== '' && from === to && (days.length === 0 || new Set(days).size === WEEKDAYS.length);
}

/**
 * Whether a time lies in quiet hours. In the night in which an hour comes twice, hours that begin or end in it last from
 * the first beginning to the last end, so that they stay in one piece. In the night in which an hour is missing, a
 * beginning or an end in it counts when the clock jumps.
 */
export function isQuiet(hours: QuietHours, now: Date): boolean {
  if (hours.quiet_from === '') return false;
  const time = now.getTime();
  if (isQuietByClock(hours, time)) return true;
  const repeated = findRepeated(hours.quiet_time_zone, time);
  if (!repeated) return false;
  const isQuietBetween = (from: number, to: number): boolean => {
    for (let instant = from; instant < to; instant += MINUTE_MS)
      if (isQuietByClock(hours, instant)) return true;
    return false;
  };
  return isQuietBetween(repeated.from, time) && isQuietBetween(time, repeated.to);
}

// What a clock on the wall says: the same twice in one night of the year.
function isQuietByClock(hours: QuietHours, time: number): boolean {
  const { day, minute } = readClock(hours.quiet_time_zone, time);
  const [from, to] = [minuteOf(hours.quiet_from), minuteOf(hours.quiet_to)];
  const begins = (weekday: number): boolean =>
    hours.quiet_days.length === 0 || hours.quiet_days.includes(WEEKDAYS[weekday] ?? '');
  if (from < to) return minute >= from && minute < to && begins(day);
  return (minute >= from && begins(day)) || (minute < to && begins((day + 6) % 7));
}

// The time around `time` whose hours come twice: from their first beginning to their second end.
function findRepeated(zone: string, time: number): { from: number; to: number } | undefined {
  let [before, after] = [time - LONGEST_SHIFT_MS, time + LONGEST_SHIFT_MS];
  const first = offsetOf(zone, before);
  const shift = first - offsetOf(zone, after);
  if (shift <= 0) return undefined;
  while (after - before > MINUTE_MS) {
    const middle = Math.floor((before + after) / 2 / MINUTE_MS) * MINUTE_MS;
    if (middle <= before) break;
    if (offsetOf(zone, middle) === first) before = middle;
    else after = middle;
  }
  const repeated = { from: after - shift, to: after + shift };
  return time >= repeated.from && time < repeated.to ? repeated : undefined;
}

function offsetOf(zone: string, time: number): number {
  const whole = Math.floor(time / MINUTE_MS) * MINUTE_MS;
  return readClock(zone, whole).asUtc - whole;
}

function readClock(zone: string, time: number): { day: number; minute: number; asUtc: number } {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(time)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const asUtc = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'));
  const minute = Math.floor(asUtc / MINUTE_MS) % DAY_MINUTES;
  return { day: new Date(asUtc).getUTCDay(), minute, asUtc };
}

function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  });
  clocks.set(zone, clock);
  return clock;
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}
