import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PauseAnswer } from '../../../../api/contract/pause.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { ownSummaryQuery, summaryQuery } from '../../api/summary.ts';
import { TypedName } from '../../kit/confirm.tsx';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { counted } from '../../kit/text/counted.ts';
import { AskedList, useAsked, type Asked } from './asked.tsx';
import { pauseText } from './pause-author.tsx';
import type { Subject } from './pause-button.tsx';
import { noneText, waitingOf, type Waiting } from './waiting.ts';

/** Asks before what waited is written or deleted in the store. */
export function ResumeDialog({
  subject,
  pause,
  call,
  close,
}: {
  subject: Subject;
  pause: PauseAnswer;
  call: Call;
  close: () => void;
}) {
  const queries = useQueryClient();
  const demands = useAsked(subject);
  const { waiting, isHeldToo, paused } = useWaiting(subject, demands);
  const [typed, setTyped] = useState('');
  const isLosing = demands?.links.some(({ waiting: { overwrites_drift: loses } }) => loses) === true;
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
        await queries.invalidateQueries();
      }}
    >
      {pause.by || pause.reason ? <p>{pauseText(pause)}</p> : null}
      <p>{resumeText(waiting, isHeldToo)}</p>
      {waiting?.links === 0 && !waiting.mayBeMore ? null : <p className={kit.muted}>{FOREIGN}</p>}
      {demands ? <AskedList demands={demands} subject={subject} paused={paused} /> : null}
      {isLosing ? <TypedName name={name} typed={typed} set={setTyped} /> : null}
    </FormDialog>
  );
}

const FOREIGN =
  'Where the store has an entry that isn’t Sealift’s, the link becomes a conflict instead, unless somebody asked to adopt or overwrite it.';

function resumeText(waiting: Waiting | null, isHeldToo: boolean): string {
  const when = `will be written or deleted${isHeldToo ? ', once no rate limit or pause of a destination holds them back' : ' at once'}.`;
  if (!waiting) return `The changes of every link that waits ${when}`;
  const { links, mayBeMore } = waiting;
  if (links === 0) return mayBeMore ? `${noneText(waiting)} They ${when}` : noneText(waiting);
  return `The changes of ${mayBeMore ? 'at least ' : ''}${counted(links, 'link')} ${when}`;
}

// What the pause holds back, null while it is not known; and whether something else does, too.
function useWaiting(
  subject: Subject,
  demands: Asked | undefined,
): { waiting: Waiting | null; isHeldToo: boolean; paused: string[] } {
  const all = useQuery({ ...summaryQuery, enabled: subject === null });
  const own = useQuery({
    ...ownSummaryQuery(subject?.type ?? '', subject?.name ?? ''),
    enabled: subject !== null,
  });
  const data = subject ? own.data : all.data;
  // Of many destinations, only the worst are named.
  const named = subject ? [own.data] : (all.data?.destinations ?? []);
  const isCut = subject === null && named.length < (all.data?.destination_count ?? 0);
  const isDue = isCut || named.some((one) => one && one.oldest_due_at !== null);
  const waiting = data ? waitingOf(data.by_status, isDue, demands) : null;
  const isHeldToo = subject
    ? Boolean(own.data?.throttled_until)
    : all.data?.destinations.some((one) => one.throttled_until !== null || one.paused !== null) === true;
  const paused = subject === null ? (all.data?.destinations ?? []).filter((one) => one.paused !== null) : [];
  return {
    waiting,
    isHeldToo,
    paused: paused.map(({ store_type: type, store_name: name }) => `${type}/${name}`),
  };
}
