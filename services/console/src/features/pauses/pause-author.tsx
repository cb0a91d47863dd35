import { actorText } from '../../../../../libs/telling/actor.ts';
import type { PauseAnswer } from '../../../../api/contract/pause.ts';
import { describeTime, Time } from '../../kit/time.tsx';

/** Whether the pause got another reason or end than it began with: `by` then is who changed it. */
const isChanged = ({ since, changed_at: changed }: PauseAnswer): boolean =>
  changed !== null && changed !== since;

/** After “paused”: by whom, since when and why; of a changed pause who changed it, and when. */
export function PauseAuthor({ pause }: { pause: PauseAnswer }) {
  const { since, by, reason, changed_at: changed } = pause;
  const author = by ? ` by ${actorText(by)}` : '';
  return (
    <>
      {isChanged(pause) ? null : author} {since ? <Time at={since} /> : null}
      {isChanged(pause) && changed ? (
        <>
          , changed{author} <Time at={changed} />
        </>
      ) : null}
      {reason ? `: ${reason}` : null}
    </>
  );
}

/** Who paused something, or changed that, when and why, in one sentence. */
export function pauseText(pause: PauseAnswer): string {
  const { by, reason, changed_at: changed } = pause;
  const deed = isChanged(pause) ? 'changed its pause' : 'paused it';
  const who = by ? `${actorText(by)} ${deed}` : 'It was paused';
  return `${who}${changed ? ` at ${describeTime(changed)}` : ''}${reason ? `: ${reason}` : '.'}`;
}
