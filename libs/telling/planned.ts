import { partsOfMessage } from './cause-titles.ts';

// What a plan does, counted. The first of two forms is for one.
const COUNTS: Record<string, [string, string] | string> = {
  create: 'to create',
  rename: 'to rename',
  update: 'to update',
  unchanged: 'unchanged',
  unchecked: 'not checked',
  conflict: ['conflict', 'conflicts'],
  taken: 'with a name in use',
  overwrite: 'to overwrite',
  adopt: 'to adopt',
  refused: 'will fail',
  failing: ['fails already', 'fail already'],
  left_out: 'left out',
  unnamed: 'without a valid name',
  delete: 'to delete',
  retain: 'to keep',
  unknown: 'that could not be checked',
  error: 'can’t be linked',
};

/** How many entries a plan treats in one way, such as "3 to create". `error`: secrets without a plan. */
export function describePlanned(action: string, count: number): string {
  const words = COUNTS[action] ?? action;
  const word = typeof words === 'string' ? words : words[count === 1 ? 0 : 1];
  return `${count.toLocaleString('en')} ${word}`;
}

/** Why a plan could not check some entries, and how many; null: nobody knows why. */
type Unchecked<Cause> = { cause: Cause | null; entries: number };

/** Adds up what could not be checked for the same reason, in the order in which the reasons came. */
export function addUnchecked<Cause extends { code: string; message: string }>(
  all: Unchecked<Cause>[],
): Unchecked<Cause>[] {
  const byReason = new Map<string, Unchecked<Cause>>();
  for (const { cause, entries } of all) {
    const reason = cause ? `${cause.code} ${partsOfMessage(cause.message).text}` : '';
    const known = byReason.get(reason);
    byReason.set(reason, { cause: known?.cause ?? cause, entries: entries + (known?.entries ?? 0) });
  }
  return [...byReason.values()];
}
