import type { WaitingAnswer } from '../../../../api/contract/associations.ts';

const DEEDS: Record<string, [whole: string, short: string]> = {
  overwrite: ['Overwriting this entry', 'Overwriting'],
  adopt: ['Adopting this entry', 'Adopting'],
  rename: ['Another name for this link', 'Another name'],
  sync: ['Syncing this link', 'Syncing'],
  retry: ['Syncing this link', 'Syncing'],
  link: ['Linking this secret', 'Linking'],
  unlink: ['Unlinking this secret', 'Unlinking'],
};

// Whoever saves a version does not ask for that.
const OVER_DRIFT = ['Overwriting what someone changed in the store', 'Overwriting a change'] as const;

/** What a person asked for, or what is lost without that; undefined if neither. */
export function deedOf(waiting: WaitingAnswer): string | undefined {
  return wordsOf(waiting)?.[0];
}

/** The same in a word or two. */
export function shortDeedOf(waiting: WaitingAnswer): string | undefined {
  return wordsOf(waiting)?.[1];
}

function wordsOf({ cause, decision, overwrites_drift: overwrites }: WaitingAnswer) {
  return DEEDS[decision ?? cause] ?? (overwrites ? OVER_DRIFT : undefined);
}
