import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import { labelOf } from '../../../../../libs/telling/label.ts';
import { mountsQuery } from '../../api/queries.ts';
import kit from '../../kit/kit.module.css';
import { splitPath } from '../secrets/split-path.ts';
import styles from './event-details.module.css';

type Event = AuditEventAnswer['attributes'];

/** Everything that an entry of the audit trail holds, as the API names it; closed at first. */
export function EventDetails({ id, event }: { id: string; event: Event }) {
  const { data: mounts = [] } = useQuery(mountsQuery);
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
            {splitPath(mounts, secret) ? (
              <Link to="/activity/$" params={{ _splat: secret }}>
                Activity of {secret}
              </Link>
            ) : (
              secret
            )}
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
        {Object.entries(detail ?? {})
          .filter(([, value]) => !isEmpty(value))
          .map(([name, value]) => (
            <Line key={name} term={labelOf(name)}>
              <Value value={value} />
            </Line>
          ))}
      </dl>
    </details>
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

// Each part of a value by its name.
function Value({ value }: { value: unknown }) {
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object')) return <>{value.join(', ')}</>;
  if (value === null) return <>–</>;
  if (typeof value !== 'object') return <>{typeof value === 'string' ? value : JSON.stringify(value)}</>;
  return (
    <dl className={styles.list}>
      {Object.entries(value).map(([name, part]) => (
        <Line key={name} term={Array.isArray(value) ? String(Number(name) + 1) : name}>
          <Value value={part} />
        </Line>
      ))}
    </dl>
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
