import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import kit from '../../kit/kit.module.css';
import styles from './event-details.module.css';

type Event = AuditEventAnswer['attributes'];

/** Everything that an entry of the audit trail holds, as the API names it; closed at first. */
export function EventDetails({ id, event }: { id: string; event: Event }) {
  const { secret, action, path, accessor, policies, detail } = event;
  return (
    <details className={kit.small}>
      <summary className={styles.summary}>Details</summary>
      <dl className={styles.list}>
        <Line term="Entry">{id}</Line>
        <Line term="Action">
          <Link to="/audit" search={{ action }}>
            <code>{action}</code>
          </Link>
        </Line>
        <Line term="Path">
          <Link to="/audit" search={{ path }}>
            <code>{path}</code>
          </Link>
        </Line>
        {secret ? (
          <Line term="Secret">
            <Link to="/activity/$" params={{ _splat: secret }}>
              Activity of {secret}
            </Link>
          </Line>
        ) : null}
        {accessor ? (
          <Line term="Token">
            <Link to="/audit" search={{ token: accessor }}>
              <code>{accessor}</code>
            </Link>
          </Line>
        ) : null}
        {policies ? <Line term="With policies">{policies.join(', ')}</Line> : null}
        {event['request-id'] ? <Line term="Request ID">{event['request-id']}</Line> : null}
        {Object.entries(detail ?? {}).map(([name, value]) => (
          <Line key={name} term={name}>
            <code>{typeof value === 'string' ? value : JSON.stringify(value, null, 1)}</code>
          </Line>
        ))}
      </dl>
    </details>
  );
}

function Line({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className={styles.line}>
      <dt className={kit.muted}>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
