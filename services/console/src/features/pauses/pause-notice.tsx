import { lazy, Suspense, useEffect, useState } from 'react';
import type { PauseAnswer } from '../../../../api/contract/pause.ts';
import type { Call } from '../../api/curl.ts';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { Time } from '../../kit/time.tsx';
import { PauseAuthor } from './pause-author.tsx';
import { pausePath, type Subject } from './pause-button.tsx';

const ResumeDialog = lazy(async () => ({ default: (await import('./resume-dialog.tsx')).ResumeDialog }));

// Long enough to read it. What it says is soon over.
const SAID_MS = 10_000;

/** Says that something is paused, by whom, since when and why, and resumes it; then, for a while, what is tried at once. */
export function PauseNotice({
  subject,
  pause,
}: {
  subject: Subject;
  /** Null: it is not paused. */
  pause: PauseAnswer | null;
}) {
  const [done, setDone] = useState('');
  useEffect(() => {
    if (!done) return undefined;
    const timer = setTimeout(() => setDone(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [done]);
  if (pause) return <Paused subject={subject} pause={pause} resumed={setDone} />;
  return done ? <Notice tone="info">{done}</Notice> : null;
}

function Paused({
  subject,
  pause,
  resumed,
}: {
  subject: Subject;
  pause: PauseAnswer;
  resumed: (text: string) => void;
}) {
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
        <Suspense fallback={null}>
          <ResumeDialog
            subject={subject}
            pause={pause}
            call={call}
            resumed={resumed}
            close={() => setIsOpen(false)}
          />
        </Suspense>
      ) : null}
    </Notice>
  );
}
