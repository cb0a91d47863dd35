import { Link } from '@tanstack/react-router';
import type { IncidentAnswer } from '../../../../../api/contract/summary.ts';
import { AUDIT } from '../../../api/right.ts';
import { useDestinationName } from '../../../api/vendors.ts';
import kit from '../../../kit/kit.module.css';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import { counted } from '../../../kit/text/counted.ts';
import { PathText } from '../../../kit/text/path-text.tsx';
import { destinationOf, windowOf } from './incident-window.ts';

/** The destination. That of a deleted one leads to all that is known of it here. */
export function IncidentDestination({ destination }: Pick<IncidentAnswer, 'destination'>) {
  const nameOf = useDestinationName();
  if (!destination) return <span className={kit.muted}>Deleted destination</span>;
  const { type, name, deleted } = destination;
  if (deleted)
    return (
      <span>
        <Link to="/problems/timeline" search={{ destination: `${type}/${name}` }}>
          {nameOf(type, name)}
        </Link>{' '}
        <span className={kit.muted}>(deleted)</span>
      </span>
    );
  return (
    <Link to="/destinations/$type/$name/history" params={{ type, name }}>
      {nameOf(type, name)}
    </Link>
  );
}

/** The links that have the cause now. */
export function FailingLinks({ incident }: { incident: IncidentAnswer }) {
  const { associations, cause } = incident;
  const destination = destinationOf(incident);
  const text = `${counted(associations, 'link')} now`;
  if (!destination) return text;
  return (
    <Link to="/destinations/$type/$name" params={destination} search={{ cause: cause.code }}>
      {text}
    </Link>
  );
}

/** What was done at the destination, and tried for one of the links, while it lasted. */
export function Doings({ incident }: { incident: IncidentAnswer }) {
  const { example } = incident;
  return (
    <>
      <DestinationDoings incident={incident} />
      {example ? (
        <p className={kit.small}>
          <Link to="/activity/$" params={{ _splat: secretOf(example) }} search={windowOf(incident)}>
            Attempts of <PathText path={secretOf(example)} />
          </Link>
        </p>
      ) : null}
    </>
  );
}

// Of a deleted destination, only the trail tells what was done.
function DestinationDoings({ incident }: { incident: IncidentAnswer }) {
  const { destination } = incident;
  const mayReadTrail = useHasRights([AUDIT]);
  if (!destination || (destination.deleted && !mayReadTrail)) return null;
  const { type, name, deleted } = destination;
  const text = 'Activity in this time';
  return (
    <p className={kit.small}>
      {deleted ? (
        <Link to="/audit" search={{ destination: `${type}/${name}`, ...windowOf(incident) }}>
          {text}
        </Link>
      ) : (
        <Link to="/destinations/$type/$name/history" params={{ type, name }} search={windowOf(incident)}>
          {text}
        </Link>
      )}
    </p>
  );
}

/** One of the links. */
export function ExampleLink({ incident }: { incident: IncidentAnswer }) {
  const { most, example } = incident;
  const destination = destinationOf(incident);
  if (!example || !destination) return null;
  const secret = secretOf(example);
  return (
    <p className={kit.small}>
      {most === 1 ? '' : 'Such as '}
      <Link to="/destinations/$type/$name/secret/$" params={{ ...destination, _splat: secret }}>
        <PathText path={secret} />
      </Link>
    </p>
  );
}

function secretOf({ mount, secret_name: path }: NonNullable<IncidentAnswer['example']>): string {
  return `${mount}/${path}`;
}
