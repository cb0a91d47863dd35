import { useEffect, useState } from 'react';
import kit from './kit.module.css';

const UNITS: [string, number][] = [
  ['d', 86_400],
  ['h', 3600],
  ['min', 60],
  ['s', 1],
];

/** The present time, updated every `everyMs`. */
export function useNow(everyMs = 5000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return now;
}

/** A length of time in its largest unit. */
export function describeSeconds(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  const [unit, size] = UNITS.find(([, candidate]) => whole >= candidate) ?? ['s', 1];
  return `${Math.floor(whole / size)} ${unit}`;
}

/** How long ago, or how long until then, and when that is: beside it in a sentence, below it in a table. */
export function Time({
  at,
  isEnd = false,
}: {
  at: string | Date | null | undefined;
  /** Something ends then, and may not have been read since. */
  isEnd?: boolean;
}) {
  const now = useNow();
  if (!at) return null;
  const time = new Date(at);
  // What happened since the last tick lies in the past all the same.
  const seconds = (Math.max(now, Date.now()) - time.getTime()) / 1000;
  if (isEnd && seconds >= 0) return 'now';
  const text = seconds >= 0 ? `${describeSeconds(seconds)} ago` : `in ${describeSeconds(-seconds)}`;
  return <Moment time={time}>{text}</Moment>;
}

// Pointing shows nothing on a phone, so the time itself is always there.
function Moment({ time, children }: { time: Date; children: string }) {
  return (
    <time dateTime={time.toISOString()}>
      {children} <span className={kit.moment}>{describeTime(time)}</span>
    </time>
  );
}

/** A time with its zone, for a reader who cannot point at it: `27 Nov 2026, 16:05:03 UTC`. */
export function describeTime(time: string | Date): string {
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
}

/** The day of a time, where its hour matters little: `27 Nov 2026`. */
export function describeDay(time: string | Date): string {
  return new Date(time).toLocaleDateString('en-GB', { dateStyle: 'medium' });
}

/** How long something has lasted, and when it began. */
export function Lasting({ since }: { since: string | Date }) {
  const now = useNow(1000);
  const time = new Date(since);
  return <Moment time={time}>{describeSeconds((now - time.getTime()) / 1000)}</Moment>;
}

/** A time as a field for a local time has it; empty: none. */
export function toLocalTime(value: unknown): string {
  const time = new Date(typeof value === 'string' ? value : '');
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return Number.isNaN(local.getTime()) ? '' : local.toISOString().slice(0, 16);
}

/** The short name of the user's time zone, as it is at a time; without one, now. */
export function zoneOf(moment?: string): string {
  const time = new Date(moment ?? Date.now());
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' }).formatToParts(
    Number.isNaN(time.getTime()) ? Date.now() : time,
  );
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? 'local time';
}
