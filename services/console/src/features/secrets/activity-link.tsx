import { Link } from '@tanstack/react-router';
import kit from '../../kit/kit.module.css';
import { Guarded } from '../../kit/rights/guarded.tsx';

/** The way to what became of a secret; `secret` is mount and path. */
export function ActivityLink({ secret }: { secret: string }) {
  return (
    <Guarded right={{ path: `sys/story/${secret}`, capability: 'read' }} label="Activity">
      <Link to="/activity/$" params={{ _splat: secret }} className={kit.button}>
        Activity
      </Link>
    </Guarded>
  );
}
