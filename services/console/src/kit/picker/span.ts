import { describeTime } from '../time.tsx';

/** A beginning and an end, as UTC, so that an address means the same time for every reader; absent: open. */
export type TimeSpan = { since?: string | undefined; until?: string | undefined };

/** A span in words, such as "from 1 Jan 2026, 10:00:00 UTC until 2 Jan 2026, 10:00:00 UTC"; empty: all time. */
export function spanText({ since, until }: TimeSpan): string {
  return [since ? `from ${describeTime(since)}` : '', until ? `until ${describeTime(until)}` : '']
    .filter(Boolean)
    .join(' ');
}

/** What is wrong with the ends of a span; empty: something can be in it. `since` and `until` say it at the fields. */
export function spanFaults({ since, until }: TimeSpan): { since?: string; until?: string; title?: string } {
  if (since !== undefined && until !== undefined && since >= until)
    return { until: 'Must be later than From.', title: 'From is later than Until' };
  if (since !== undefined && since > new Date().toISOString())
    return { since: 'Must not be in the future.', title: 'From is in the future' };
  return {};
}
