import type { DestinationSummaryAnswer } from '../../../../api/contract/summary.ts';

// Workers search for due links every two seconds, and a change begins within a second.
const SILENT_MS = 30_000;

/** Whether due changes of a destination wait although nothing keeps a worker from taking them. */
export function isSilent(destination: DestinationSummaryAnswer, now: number): boolean {
  const { by_status: counts, oldest_due_at: oldest, throttled_until: until, held } = destination;
  const isTaken = (counts['SYNCING'] ?? 0) > 0;
  const isWaiting = (counts['PENDING'] ?? 0) + (counts['UNSYNCING'] ?? 0) > 0;
  return (
    oldest !== null &&
    until === null &&
    held === null &&
    isWaiting &&
    !isTaken &&
    now - new Date(oldest).getTime() > SILENT_MS
  );
}
