import { useQueryClient } from '@tanstack/react-query';
import type { PauseAnswer } from '../../../../api/contract/pause.ts';
import { carryOut } from '../../api/client.ts';
import type { Call } from '../../api/curl.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import kit from '../../kit/kit.module.css';
import { Notice } from '../../kit/notice.tsx';
import { Action } from '../../kit/rights/action.tsx';
import { Time } from '../../kit/time.tsx';
import { pausePath, type Subject } from './pause-button.tsx';

/** Says that something is paused, by whom, since when and why, and resumes it. */
export function PauseNotice({ subject, pause }: { subject: Subject; pause: PauseAnswer }) {
  const queries = useQueryClient();
  const { busy, failure, attempt } = useAttempt();
  const { since, by, reason, until } = pause;
  const call: Call = { method: 'POST', path: `${pausePath(subject)}/resume`, body: {} };
  const resume = (): Promise<boolean> =>
    attempt(async () => {
      await carryOut(call);
      await queries.invalidateQueries();
    });
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
            {by ? `Paused by ${by}` : 'Paused'} {since ? <Time at={since} /> : null}
            {reason ? `: ${reason}` : null}
          </p>
        </div>
        <Action call={call} busy={busy} onClick={() => void resume()}>
          {subject ? 'Resume' : 'Resume syncing'}
        </Action>
      </div>
      <Refusal failure={failure} />
    </Notice>
  );
}
