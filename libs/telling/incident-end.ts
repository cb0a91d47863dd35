import { actorText } from './actor.ts';
import { changeBehind, changeWords, type SecretChange } from './attempts.ts';

/** What is known of how an incident ended. Only what came before its end is known, and not what ended it. */
export type EndedIncident = {
  cause: { class: string; code: string };
  ended: 'itself' | 'person' | 'removed' | 'other_cause' | null;
  ended_by: string | null;
  /** How many links it concerned at the same time, at most. */
  most: number;
  ended_after: { cause: string; version: number | null; change?: SecretChange } | null;
};

/** What somebody did to a link or its destination before an incident ended: "ana" "saved v4". */
type LastDeed = { by: string; deed: string };

// The version of a save is named beside it.
const DEEDS: Record<string, string> = {
  link: 'linked the secret',
  relink: 'linked the secret again',
  sync: 'asked for a sync',
  adopt: 'asked to adopt the entry',
  overwrite: 'asked to overwrite the entry',
  rename: 'asked to rename the entry',
  unlink: 'asked to unlink the secret',
  retry: 'asked for a retry',
  destination: 'changed the destination',
  drift: 'compared the values',
};

/** How an incident ended, such as "Ended after ana saved v4". */
export function incidentEndText(incident: EndedIncident): string {
  const { cause, ended, ended_after: last, most } = incident;
  const done = lastDeed(incident);
  if (done) return `${endedAfter(incident)} ${done.by} ${done.deed}`;
  switch (ended) {
    case null:
      // A rate limit needs no action.
      if (cause.code === 'rate_limited') return 'Waiting';
      return cause.class === 'DRIFTED' ? 'Still drifted' : 'Still failing';
    case 'itself':
      return last?.cause === 'schedule' ? 'Ended after an automatic retry' : 'Ended';
    case 'person':
      return 'Ended';
    case 'removed':
      return last?.cause === 'unlink'
        ? 'Ended'
        : most === 1
          ? 'Ended when its link was removed'
          : 'Ended when its last link was removed';
    case 'other_cause':
      return 'Then failed for another cause';
  }
}

/**
 * How the sentence begins that goes on with who did what last. Of several links only the last is known: others may have
 * ended before in other ways, also before something that was done for all of them.
 */
export function endedAfter({ most }: EndedIncident): string {
  return most === 1 ? 'Ended after' : 'The last of them ended after';
}

/** Undefined if nobody did anything, or that is not kept any more. */
export function lastDeed({ ended, ended_by: by, ended_after: last }: EndedIncident): LastDeed | undefined {
  const isByPerson = ended === 'person' || (ended === 'removed' && last?.cause === 'unlink');
  if (!isByPerson || !by || !last) return undefined;
  const deed = deedOf(last);
  return deed === undefined ? undefined : { by: actorText(by), deed };
}

function deedOf(last: NonNullable<EndedIncident['ended_after']>): string | undefined {
  const change = changeBehind(last);
  if (change) {
    const { what, deed } = changeWords(change);
    return `${deed} ${what}`;
  }
  const isSave = last.cause === 'write' && last.version !== null;
  return isSave ? `saved v${last.version}` : DEEDS[last.cause];
}
