import { Link } from '@tanstack/react-router';
import kit from '../../kit/kit.module.css';
import { Guarded } from '../../kit/rights/guarded.tsx';

/** The right to new destinations. */
export const CONNECTION = { path: 'sys/sync/destinations/+', capability: 'create' };
const LABEL = 'Connect a destination';

/** The way to a new destination. */
export function ConnectLink() {
  return (
    <Guarded right={CONNECTION} label={LABEL} kind="primary">
      <Link to="/connect" className={`${kit.button} ${kit.primary}`}>
        {LABEL}
      </Link>
    </Guarded>
  );
}
