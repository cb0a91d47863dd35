import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PauseAnswer } from '../../../../api/contract/pause.ts';
import type { SummaryAnswer } from '../../../../api/contract/summary.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { destinationQuery } from '../../api/queries.ts';
import { ownSummaryQuery, SUMMARY, summaryQuery } from '../../api/summary.ts';
import { TypedName } from '../../kit/confirm.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { counted } from '../../kit/text/counted.ts';
import { AskedList, staysPaused, useAsked, type Asked } from './asked.tsx';
import { isLoss } from './deeds.ts';
import { pauseText } from './pause-author.tsx';
import type { Subject } from './pause-button.tsx';
import { noneText, waitingOf, type Waiting } from './waiting.ts';

/** Asks before what waited is written or deleted in the store. */
export function ResumeDialog({
  subject,
  pause,
  call,
  resumed,
  close,
}: {
  subject: Subject;
  pause: PauseAnswer;
  call: Call;
  /** Called with what was done. */
  resumed: (text: string) => void;
  close: () => void;
}) {
  const queries = useQueryClient();
  const demands = useAsked(subject);
  const { waiting, staying, isHeldToo, paused } = useWaiting(subject, demands);
  const [typed, setTyped] = useState('');
  const policy = useConflictPolicy(subject);
  const isReplacing = isWaiting(waiting) && policy !== undefined && policy !== 'refuse';
  const isLosing =
    isReplacing || demands?.links.some((link) => isLoss(link.waiting) && !staysPaused(link, paused)) === true;
  const name = subject?.name ?? 'resume';
  return (
    <FormDialog
      title={subject ? `Resume ${subject.name}` : 'Resume syncing to all destinations'}
      action="Resume"
      isDangerous={isLosing}
      isReady={!isLosing || typed === name}
      call={call}
      close={close}
      carryOut={async () => {
        await carryOut(call);
        resumed(resumedText(subject, { waiting, staying, isHeldToo }));
        await queries.invalidateQueries();
      }}
    >
      {pause.by || pause.reason ? <p>{pauseText(pause)}</p> : null}
      <p>{resumeText(waiting, isHeldToo)}</p>
      {staying === 0 ? null : (
        <p>
          The changes of {counted(staying, 'link')} go on waiting, because {staying === 1 ? 'its' : 'their'}{' '}
          destination stays paused.
        </p>
      )}
      {isWaiting(waiting) ? (
        <p className={kit.muted}>
          {BY_POLICY[policy ?? ''] ?? BY_ANY_POLICY} {UNSEEN}
        </p>
      ) : null}
      {demands ? <AskedList demands={demands} subject={subject} paused={paused} /> : null}
      {isLosing ? <TypedName name={name} typed={typed} set={setTyped} /> : null}
    </FormDialog>
  );
}

const FOREIGN = 'Where the store has an entry that isn’t Sealift’s,';
const BY_POLICY: Record<string, string> = {
  refuse: `${FOREIGN} the link becomes a conflict instead, unless somebody asked to adopt or overwrite it.`,
  overwrite: `${FOREIGN} its value is replaced, because the conflict policy of this destination is Overwrite.`,
  adopt: `${FOREIGN} its value is replaced if it differs, because the conflict policy of this destination is Adopt.`,
};
const BY_ANY_POLICY = `${FOREIGN} the conflict policy of its destination decides: the link becomes a conflict instead, or the entry is adopted or overwritten.`;

const UNSEEN =
  'A new version of a secret overwrites its entry, even if someone has changed it and Sealift hasn’t looked since.';

// What becomes of entries of somebody else; undefined while nobody knows, or where several destinations resume.
function useConflictPolicy(subject: Subject): string | undefined {
  const { data } = useQuery({
    ...destinationQuery(subject?.type ?? '', subject?.name ?? ''),
    enabled: subject !== null,
  });
  return data?.options.conflict_policy;
}

// While it is not known whether links wait, some may.
function isWaiting(waiting: Waiting | null): boolean {
  return waiting?.links !== 0 || waiting.mayBeMore;
}

function resumeText(waiting: Waiting | null, isHeldToo: boolean): string {
  const when = `will be written or deleted${isHeldToo ? ', once no rate limit or other pause holds them back' : ' at once'}.`;
  if (!waiting) return `The changes of every link that waits ${when}`;
  const { links, mayBeMore } = waiting;
  if (links === 0) return mayBeMore ? `${noneText(waiting)} They ${when}` : noneText(waiting);
  return `The changes of ${mayBeMore ? 'at least ' : ''}${counted(links, 'link')} ${when}`;
}

// What the question said before, once it is done.
function resumedText(
  subject: Subject,
  { waiting, staying, isHeldToo }: Pick<Standing, 'waiting' | 'staying' | 'isHeldToo'>,
): string {
  const texts = [`Syncing${subject ? ` to ${subject.name}` : ''} goes on.`];
  if (waiting && waiting.links > 0) {
    const { links, mayBeMore } = waiting;
    const when = isHeldToo ? 'once no rate limit or other pause holds them back' : 'now';
    texts.push(
      `${mayBeMore ? 'At least ' : ''}${counted(links, 'link')} ${links === 1 ? 'is' : 'are'} tried ${when}.`,
    );
  }
  if (staying > 0)
    texts.push(
      `${counted(staying, 'link')} ${staying === 1 ? 'goes' : 'go'} on waiting at destinations that stay paused.`,
    );
  return texts.join(' ');
}

type Standing = {
  /** What the pause holds back; null while it is not known. */
  waiting: Waiting | null;
  /** How many links wait at destinations that stay paused. */
  staying: number;
  /** Whether something else holds that back, too. */
  isHeldToo: boolean;
  /** Destinations that stay paused, as `type/name`. */
  paused: string[];
};

function useWaiting(subject: Subject, demands: Asked | undefined): Standing {
  const mayReadAll = useHasRights([SUMMARY]);
  const { data: all } = useQuery({ ...summaryQuery, enabled: subject === null || mayReadAll });
  const { data: own } = useQuery({
    ...ownSummaryQuery(subject?.type ?? '', subject?.name ?? ''),
    enabled: subject !== null,
  });
  if (subject === null) return all ? standingOf(all, demands) : UNKNOWN;
  if (!own) return UNKNOWN;
  return {
    ...UNKNOWN,
    waiting: waitingOf(own.by_status, own.oldest_due_at !== null, demands),
    isHeldToo: own.throttled_until !== null || Boolean(all?.paused),
  };
}

const UNKNOWN: Standing = { waiting: null, staying: 0, isHeldToo: false, paused: [] };

function standingOf({ destinations, by_status: counts, ...all }: SummaryAnswer, demands?: Asked): Standing {
  const stay = destinations.filter(({ paused }) => paused !== null);
  const go = destinations.filter(({ paused }) => paused === null);
  const paused = stay.map(({ store_type: type, store_name: name }) => `${type}/${name}`);
  const demandsOf = (isLater: boolean): Asked | undefined =>
    demands && { ...demands, links: demands.links.filter((link) => staysPaused(link, paused) === isLater) };
  const later: Record<string, number> = {};
  const now = { ...counts };
  for (const [status, count] of stay.flatMap((one) => Object.entries(one.by_status))) {
    later[status] = (later[status] ?? 0) + count;
    now[status] = (now[status] ?? 0) - count;
  }
  // Of many destinations, only the worst are named.
  const isCut = destinations.length < all.destination_count;
  const isDue = isCut || go.some(({ oldest_due_at: oldest }) => oldest !== null);
  return {
    waiting: waitingOf(now, isDue, demandsOf(false)),
    staying: waitingOf(later, false, demandsOf(true)).links,
    isHeldToo: isCut || go.some(({ throttled_until: until }) => until !== null),
    paused,
  };
}
