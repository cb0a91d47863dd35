import { describeTime } from '../time.tsx';

/** A beginning and an end, as UTC, so that an address means the same time for every reader; absent: open. */
export type TimeSpan = { since?: string | undefined; until?: string | undefined };

/** A span in words, such as "from 1 Jan 2026, 10:00:00 UTC until 2 Jan 2026, 10:00:00 UTC"; empty: all time. */
export function spanText({ since, until }: TimeSpan): string {
  return [since ? `from ${describeTime(since)}` : '', until ? `until ${describeTime(until)}` : '']
    .filter(Boolean)
    .join(' ');
}

/** Whether a span ends before it begins, so that nothing can be in it. */
export function isReversed({ since, until }: TimeSpan): boolean {
  return since !== undefined && until !== undefined && since >= until;
}
