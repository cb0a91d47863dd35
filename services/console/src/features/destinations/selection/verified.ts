import { counted } from '../../../kit/text/counted.ts';

// What a comparison found of an entry: of one, of several, and whether that is as it should be.
const STATES: Record<string, { one: string; many: string; isFine?: true }> = {
  in_sync: { one: 'matches', many: 'match', isFine: true },
  present: {
    one: 'exists, and is unchanged as far as the store tells; it shows no value to compare',
    many: 'exist, and are unchanged as far as the store tells; it shows no values to compare',
    isFine: true,
  },
  drifted: { one: 'was changed in the store', many: 'were changed in the store' },
  missing: { one: 'was deleted in the store', many: 'were deleted in the store' },
  not_written: { one: 'isn’t in the store yet', many: 'aren’t in the store yet' },
  deleted: { one: 'is no longer in the store', many: 'are no longer in the store', isFine: true },
  undeleted: {
    one: 'is still in the store: its deletion isn’t confirmed',
    many: 'are still in the store: their deletion isn’t confirmed',
  },
  foreign: { one: 'isn’t managed by Sealift', many: 'aren’t managed by Sealift' },
  unknown: { one: 'couldn’t be verified', many: 'couldn’t be verified' },
};

/** What a comparison found of one entry, as the predicate of a sentence. */
export function verifiedText(state: string): string {
  return STATES[state]?.one ?? state;
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
