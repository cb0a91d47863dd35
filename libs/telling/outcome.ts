import { failedTest } from './failed-test.ts';

type Detail = Record<string, unknown>;

/** How an entry of the audit trail ended, and when it began. */
type Ended = { outcome: string; at: string | Date; detail?: Detail | null };

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

/** The outcome of an entry: a request about many secrets was refused if each of them was, although it got its answer. */
export function endOf<Outcome extends string>(
  outcome: Outcome,
  detail: Detail | null | undefined,
): Outcome | 'refused' {
  const counts = Object.values(detail ?? {}).filter((value) => typeof value === 'number');
  const all = counts.reduce((sum, count) => sum + count, 0);
  return outcome === 'succeeded' && all > 0 && detail?.['refused'] === all ? 'refused' : outcome;
}

/** How many secrets of a request were refused while others were not. */
export function refusedPart(detail: Detail | null | undefined): number {
  const refused = detail?.['refused'];
  return typeof refused === 'number' && endOf('succeeded', detail) === 'succeeded' ? refused : 0;
}

/** What an entry that succeeded did not achieve, in two words; undefined: it achieved all. */
export function shortfallText({ outcome, detail }: Pick<Ended, 'outcome' | 'detail'>): string | undefined {
  if (endOf(outcome, detail) !== 'succeeded') return undefined;
  if (failedTest(detail) !== undefined) return 'Test failed';
  return refusedPart(detail) > 0 ? 'Partly refused' : undefined;
}

/** How an entry ended, in a word or three. */
export function outcomeText(entry: Ended, now = Date.now()): string {
  if (mayStillEnd(entry, now)) return 'In progress';
  const end = endOf(entry.outcome, entry.detail);
  return shortfallText(entry) ?? OUTCOMES[end] ?? end;
}
