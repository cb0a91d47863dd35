import type { DecisionAnswer, WaitingAnswer } from '../../../../api/contract/pause.ts';

/** What is carried out; the same in a word or two; and what that does in the store, empty if it may only add an entry. */
type Deed = readonly [whole: string, short: string, effect: string];

const RECREATING: Deed = [
  'Writing the deleted entry again',
  'Writing again',
  'creates the entry that someone deleted in the store',
];

const DEEDS: Record<string, Deed> = {
  overwrite: ['Overwriting this entry', 'Overwriting', 'replaces what is in the store'],
  adopt: ['Adopting this entry', 'Adopting', 'replaces the value in the store if it differs'],
  rename: ['Another name for this link', 'Another name', 'the entry with the former name goes'],
  recreate: RECREATING,
  sync: ['Syncing this link', 'Syncing', ''],
  retry: ['Syncing this link', 'Syncing', ''],
  link: ['Linking this secret', 'Linking', ''],
  relink: ['Linking this secret again', 'Linking again', ''],
  unlink: [
    'Unlinking this secret',
    'Unlinking',
    'deletes what Sealift wrote, unless the deletion policy keeps it',
  ],
};

// Whoever saves a version does not ask for that.
const OVER_DRIFT: Deed = [
  'Overwriting what someone changed in the store',
  'Overwriting',
  'replaces what someone changed in the store, unless the new version has that value',
];

const UNDOING: Deed = [
  'Overwriting what someone changed in the store, and writing again what someone deleted there,',
  'Overwriting and writing again',
  'replaces what someone changed in the store, unless the new version has that value, and creates what someone deleted there',
];

/** What a person asked for, or what is lost without that; undefined if neither. */
export function deedOf(waiting: WaitingAnswer): string | undefined {
  return wordsOf(waiting)?.[0];
}

/** The same of the cause of an attempt, or of a decision. */
export function deedOfCause(cause: string): string | undefined {
  return DEEDS[cause]?.[0];
}

/** That in a word or two. */
export function shortDeedOfCause(cause: string): string | undefined {
  return DEEDS[cause]?.[1];
}

/** What waits, in a word or two. */
export function shortDeedOf(waiting: WaitingAnswer): string | undefined {
  return wordsOf(waiting)?.[1];
}

/** What is under way or waits at a link, beside its status; empty if nothing is. */
export function askedText({
  waiting,
  decision,
  unlinking,
}: {
  waiting?: WaitingAnswer;
  decision?: DecisionAnswer;
  unlinking?: true;
}): string {
  // It is said in the same words whether a pause holds it back, the store fails, or it is about to be done.
  if (unlinking) return 'being unlinked';
  const deed = waiting ? shortDeedOf(waiting) : decision && shortDeedOfCause(decision.kind);
  return deed ? `${deed} waits` : '';
}

/** What that does in the store; empty if it may only add an entry. */
export function effectOf(waiting: WaitingAnswer): string {
  const effect = wordsOf(waiting)?.[2] ?? '';
  if (effect === '' && waiting.recreates && !waiting.overwrites_drift) return RECREATING[2];
  if (effect === OVER_DRIFT[2] || effect === UNDOING[2] || !waiting.overwrites_drift) return effect;
  if (waiting.cause === 'unlink')
    return 'deletes what someone changed in the store, unless the deletion policy keeps it';
  return effect === '' ? OVER_DRIFT[2] : `${effect}; someone had changed it there`;
}

/** Whether that replaces or deletes what somebody else has in the store. */
export function isLoss({ decision, overwrites_drift: overwrites }: WaitingAnswer): boolean {
  return overwrites || decision === 'overwrite';
}

function wordsOf({
  cause,
  decision,
  overwrites_drift: overwrites,
  recreates,
}: WaitingAnswer): Deed | undefined {
  const undoing = overwrites ? (recreates ? UNDOING : OVER_DRIFT) : recreates ? RECREATING : undefined;
  return DEEDS[decision ?? cause] ?? undoing;
}
