import { counted } from '../../../kit/text/counted.ts';

// What a comparison found of an entry: of one, of several, of one that was written since, and whether that is as it should be.
const STATES: Record<string, { one: string; many: string; before?: string; isFine?: true }> = {
  in_sync: { one: 'matches', many: 'match', before: 'matched then', isFine: true },
  present: {
    one: 'exists, and is unchanged as far as the store tells; it shows no value to compare',
    many: 'exist, and are unchanged as far as the store tells; it shows no values to compare',
    before: 'was unchanged then, as far as the store tells',
    isFine: true,
  },
  drifted: {
    one: 'was changed in the store',
    many: 'were changed in the store',
    before: 'was changed in the store then',
  },
  missing: {
    one: 'was deleted in the store',
    many: 'were deleted in the store',
    before: 'was deleted in the store then',
  },
  not_written: {
    one: 'isn’t in the store yet',
    many: 'aren’t in the store yet',
    before: 'wasn’t in the store then',
  },
  deleted: {
    one: 'is no longer in the store',
    many: 'are no longer in the store',
    before: 'was no longer in the store then',
    isFine: true,
  },
  undeleted: {
    one: 'is still in the store: its deletion isn’t confirmed',
    many: 'are still in the store: their deletion isn’t confirmed',
    before: 'was still in the store then',
  },
  foreign: {
    one: 'isn’t managed by Sealift',
    many: 'aren’t managed by Sealift',
    before: 'wasn’t managed by Sealift then',
  },
  unknown: { one: 'couldn’t be verified', many: 'couldn’t be verified' },
};

/** What a comparison found of one entry, as the predicate of a sentence; `isWritten`: it was written since. */
export function verifiedText(state: string, isWritten: boolean): string {
  const { one = state, before } = STATES[state] ?? {};
  return isWritten && before !== undefined ? `${before}, and has been written since` : one;
}

/** `limited` if an entry is not as it should be, as far as the store tells. */
export function toneOf(states: string[]): 'ok' | 'limited' {
  return states.every((state) => STATES[state]?.isFine) ? 'ok' : 'limited';
}

/** How many of some entries were found in which state, one sentence for each state. */
export function countVerified(states: string[]): string[] {
  const order = [...new Set([...Object.keys(STATES), ...states])];
  return order.flatMap((state) => {
    const { length } = states.filter((one) => one === state);
    if (length === 0) return [];
    const { one = state, many = state } = STATES[state] ?? {};
    const whole = states.length;
    return length === whole
      ? [`${counted(whole, 'entry', 'entries')} ${whole === 1 ? one : many}.`]
      : [`${length} of ${counted(whole, 'entry', 'entries')} ${length === 1 ? one : many}.`];
  });
}
