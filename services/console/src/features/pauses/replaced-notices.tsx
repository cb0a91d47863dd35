import type { DecisionAnswer, WaitingAnswer } from '../../../../api/contract/pause.ts';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { Notice } from '../../kit/notice.tsx';
import { deedOf, deedOfCause } from './deeds.ts';

/** Says in a question about a link that what is asked there takes the place of what waits. */
export function ReplacedNotice({ waiting }: { waiting: WaitingAnswer | undefined }) {
  const deed = waiting && deedOf(waiting);
  if (!deed) return null;
  const isSave = waiting.cause === 'write' && waiting.decision === null;
  const who = waiting.by && !isSave ? `, which ${actorText(waiting.by)} asked for,` : '';
  return (
    <Notice tone="limited">
      {deed}
      {who} waits for the pause to end. This takes its place.
    </Notice>
  );
}

/** Says in a question about a new name that it ends what was decided about the entry with the present one. */
export function EndedNotice({ decision }: { decision: DecisionAnswer | undefined }) {
  if (!decision) return null;
  const { kind, by } = decision;
  return (
    <Notice tone="limited">
      {deedOfCause(kind)} was asked for{by ? ` by ${actorText(by)}` : ''}. Renaming takes that back.
    </Notice>
  );
}
