import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import kit from '../../kit/kit.module.css';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { EventDetails } from './event-details.tsx';
import styles from './event-details.module.css';
import type { EventFilter } from './events.ts';
import { EventOutcome, Sentence } from './sentence.tsx';

type Event = AuditEventAnswer['attributes'];

/** Entries of the audit trail in plain words. What an entry names leads to all entries about that. */
export function EventTable({ events }: { events: AuditEventAnswer[] }) {
  return (
    <Table columns={['When', 'Who', 'What', 'Outcome']}>
      {events.map(({ id, attributes: event }) => (
        <tr key={id}>
          <td>
            <Time at={event.at} />
          </td>
          <td>
            <Who event={event} />
          </td>
          <td>
            <Sentence event={event} isLinked />
            {event.namespace ? (
              <p className={kit.small}>
                Namespace <Of filter={{ namespace: event.namespace }}>{event.namespace}</Of>
              </p>
            ) : null}
            <EventDetails id={id} event={event} />
          </td>
          <td>
            <EventOutcome entry={event} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

const METHODS: Record<string, string> = {
  token: 'token',
  session: 'console',
  saml: 'single sign-on',
  'saml-session': 'console, single sign-on',
  wrapping: 'wrapped answer',
  approle: 'AppRole',
  jwt: 'JWT',
  kubernetes: 'Kubernetes',
};

function Who({ event }: { event: Event }) {
  const { user, actor, address } = event;
  const method = event['auth-method'];
  return (
    <>
      <div className={styles.who}>
        <Of filter={user ? { user } : { actor }}>{user ?? actorText(actor)}</Of>
      </div>
      <p className={`${kit.small} ${kit.muted}`}>
        {method ? (METHODS[method] ?? method) : ''} {address ? <Of filter={{ address }}>{address}</Of> : null}
      </p>
    </>
  );
}

function Of({ filter, children }: { filter: EventFilter; children: ReactNode }) {
  return (
    <Link to="/audit" search={filter}>
      {children}
    </Link>
  );
}
