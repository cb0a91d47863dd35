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

/** What a person asked for; undefined if nobody did. */
export function deedOf({ cause, decision }: WaitingAnswer): string | undefined {
  return DEEDS[decision ?? cause]?.[0];
}

/** The same in a word or two. */
export function shortDeedOf({ cause, decision }: WaitingAnswer): string | undefined {
  return DEEDS[decision ?? cause]?.[1];
}
