import { actorText } from '../../../../libs/telling/actor.ts';
import kit from './kit.module.css';
import { Time } from './time.tsx';

/** Who changed something last, and when. */
export function Changed({ by, at }: { by: string | null; at: string | null }) {
  if (!at) return null;
  return (
    <p className={kit.muted}>
      Changed {by ? `by ${actorText(by)}` : ''} · <Time at={at} />
    </p>
  );
}
