import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import kit from '../../kit/kit.module.css';
import { Table } from '../../kit/table.tsx';
import { describeTime, Time } from '../../kit/time.tsx';
import type { EventFilter } from './events.ts';

type Event = AuditEventAnswer['attributes'];

/** Entries of the audit trail. A person, a secret, an address and an action lead to their own entries. */
export function EventTable({ events }: { events: AuditEventAnswer[] }) {
  return (
    <Table columns={['When', 'Who', 'What', 'Outcome']}>
      {events.map(({ id, attributes: event }) => (
        <tr key={id}>
          <td>
            {describeTime(event.at)}
            <p className={`${kit.small} ${kit.muted}`}>
              <Time at={event.at} />
            </p>
          </td>
          <td>
            <Of filter={event.user ? { user: event.user } : { actor: event.actor }}>
              {event.user ?? event.actor}
            </Of>
            <p className={`${kit.small} ${kit.muted}`}>
              {event['auth-method']}{' '}
              {event.address ? <Of filter={{ address: event.address }}>{event.address}</Of> : null}
            </p>
          </td>
          <td>
            <Of filter={{ action: event.action }}>
              <code>{event.action.split(' ', 1)[0]}</code>
            </Of>{' '}
            <code>{event.path}</code>
            {event.namespace ? (
              <p className={kit.small}>
                Namespace <Of filter={{ namespace: event.namespace }}>{event.namespace}</Of>
              </p>
            ) : null}
            {event.secret ? (
              <p className={kit.small}>
                Secret <Of filter={{ secret: event.secret }}>{event.secret}</Of>
              </p>
            ) : null}
            {event.detail ? <p className={`${kit.small} ${kit.muted}`}>{detailOf(event)}</p> : null}
          </td>
          <td>{[event.outcome, event.status].filter(Boolean).join(' ')}</td>
        </tr>
      ))}
    </Table>
  );
}

function Of({ filter, children }: { filter: EventFilter; children: ReactNode }) {
  return (
    <Link to="/audit" search={filter}>
      {children}
    </Link>
  );
}

function detailOf({ detail }: Event): string {
  return Object.entries(detail ?? {})
    .map(([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' · ');
}
