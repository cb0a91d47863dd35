import type { WaitingAnswer } from '../../../../api/contract/associations.ts';

const DEEDS: Record<string, string> = {
  overwrite: 'Overwriting this entry',
  adopt: 'Adopting this entry',
  rename: 'Another name for this link',
  sync: 'Syncing this link',
  retry: 'Syncing this link',
  link: 'Linking this secret',
  unlink: 'Unlinking this secret',
};

/** What a person asked for; undefined if nobody did. */
export function deedOf({ cause, decision }: WaitingAnswer): string | undefined {
  return DEEDS[decision ?? cause];
}
