import { failedTest } from './failed-test.ts';

/** How an entry of the audit trail ended, and when it began. */
type Ended = { outcome: string; at: string | Date; detail?: Record<string, unknown> | null };

// No request takes longer, and its end is written soon after its answer.
const LONGEST_MS = 60_000;

const OUTCOMES: Record<string, string> = {
  attempted: 'End not recorded',
  succeeded: 'Succeeded',
  refused: 'Refused',
  failed: 'Failed',
};

/** Whether an entry has no end yet but may still get one. `now` is in milliseconds. */
export function mayStillEnd({ outcome, at }: Ended, now = Date.now()): boolean {
  return outcome === 'attempted' && now - new Date(at).getTime() < LONGEST_MS;
}

/** How an entry ended, in a word or three. */
export function outcomeText(entry: Ended, now = Date.now()): string {
  if (entry.outcome === 'succeeded' && failedTest(entry.detail) !== undefined) return 'Test failed';
  return mayStillEnd(entry, now) ? 'In progress' : (OUTCOMES[entry.outcome] ?? entry.outcome);
}
