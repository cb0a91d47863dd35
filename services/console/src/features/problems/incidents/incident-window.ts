import type { IncidentAnswer } from '../../../../../api/contract/summary.ts';
import type { TimeSpan } from '../../../kit/picker/span.ts';

// What led to the first failure, and what is noted right after the end, belong to it.
const MARGIN_MS = 60_000;

/** The destination of an incident, if it still has pages. */
export function destinationOf({ destination }: IncidentAnswer): { type: string; name: string } | null {
  return destination?.deleted ? null : destination;
}

/** The time in which an incident was open, for pages that show what was done then. */
export function windowOf({ opened_at: opened, closed_at: closed }: IncidentAnswer): TimeSpan {
  const moved = (time: string | Date, ms: number): string =>
    new Date(new Date(time).getTime() + ms).toISOString();
  return { since: moved(opened, -MARGIN_MS), until: closed ? moved(closed, MARGIN_MS) : undefined };
}
