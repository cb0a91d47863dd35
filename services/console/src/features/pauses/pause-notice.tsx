import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { PauseAnswer } from '../../../../api/contract/pause.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { ownSummaryQuery, summaryQuery } from '../../api/summary.ts';
import { FormDialog } from '../../kit/form-dialog.tsx';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { counted } from '../../kit/text/counted.ts';
import { Time } from '../../kit/time.tsx';
import { AskedList, useAsked, type Asked } from './asked.tsx';
import { PauseAuthor, pauseText } from './pause-author.tsx';
import { pausePath, type Subject } from './pause-button.tsx';
import { noneText, waitingOf, type Waiting } from './waiting.ts';

/** Says that something is paused, by whom, since when and why, and resumes it. */
export function PauseNotice({ subject, pause }: { subject: Subject; pause: PauseAnswer }) {
  const [isOpen, setIsOpen] = useState(false);
  const { until } = pause;
  const call: Call = { method: 'POST', path: `${pausePath(subject)}/resume`, body: {} };
  return (
    <Notice tone="limited">
      <div className={`${kit.row} ${kit.spread}`}>
        <div>
          <p>
            <strong>{subject ? 'This destination is paused.' : 'Syncing is paused.'}</strong> Changes are
            queued.
            {until ? (
              <>
                {' '}
                Resumes <Time at={until} />.
              </>
            ) : null}
          </p>
          <p className={kit.muted}>
            Paused
            <PauseAuthor pause={pause} />
          </p>
        </div>
        <Action call={call} onClick={() => setIsOpen(true)}>
          {subject ? 'Resume…' : 'Resume syncing…'}
        </Action>
      </div>
      {isOpen ? (
        <ResumeDialog subject={subject} pause={pause} call={call} close={() => setIsOpen(false)} />
      ) : null}
    </Notice>
  );
}

// What waited is written or deleted in the store, so it asks first.
function ResumeDialog({
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
  const { waiting, isHeldToo } = useWaiting(subject, demands);
  return (
    <FormDialog
      title={subject ? `Resume ${subject.name}` : 'Resume syncing to all destinations'}
      action="Resume"
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
      {demands ? <AskedList demands={demands} subject={subject} /> : null}
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
): { waiting: Waiting | null; isHeldToo: boolean } {
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
  return { waiting, isHeldToo };
}
