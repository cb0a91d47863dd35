import { Link } from '@tanstack/react-router';
import { actorText } from '../../../../../libs/telling/actor.ts';
import kit from '../kit.module.css';
import { Guarded } from './guarded.tsx';

/** The way to what somebody did, by the display name. */
export function PersonActivity({ name }: { name: string }) {
  return (
    <Guarded right={{ path: 'api/v2/admin/audit-events', capability: 'read' }} label="Activity">
      <Link
        to="/audit"
        search={{ actor: name }}
        className={kit.button}
        aria-label={`Activity of ${actorText(name)}`}
      >
        Activity
      </Link>
    </Guarded>
  );
}
