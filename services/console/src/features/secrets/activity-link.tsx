import { Link } from '@tanstack/react-router';
import kit from '../../kit/kit.module.css';

/** The way to what became of a secret; `secret` is mount and path. */
export function ActivityLink({ secret }: { secret: string }) {
  return (
    <Link to="/activity/$" params={{ _splat: secret }} className={kit.button}>
      Activity
    </Link>
  );
}
