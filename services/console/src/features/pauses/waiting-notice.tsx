import type { WaitingAnswer } from '../../../../api/contract/associations.ts';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { Notice } from '../../kit/notice.tsx';

const DEEDS: Record<string, string> = {
  overwrite: 'Overwriting this entry',
  adopt: 'Adopting this entry',
  rename: 'Another name for this link',
  sync: 'Syncing this link',
  retry: 'Syncing this link',
  unlink: 'Unlinking this secret',
};

/** Says what a person asked for that is carried out once a pause ends. */
export function WaitingNotice({ waiting: { cause, by, decision } }: { waiting: WaitingAnswer }) {
  const deed = DEEDS[decision ?? cause];
  if (deed === undefined) return null;
  return (
    <Notice tone="limited">
      {deed} {by ? `was asked for by ${actorText(by)} and ` : ''}waits for the pause to end.
      {decision ? ' To withdraw that, choose Sync now.' : null}
    </Notice>
  );
}
