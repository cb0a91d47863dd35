import { Link } from '@tanstack/react-router';
import { endedAfter, incidentEndText, lastDeed } from '../../../../../../libs/telling/incident-end.ts';
import type { IncidentAnswer } from '../../../../../api/contract/summary.ts';
import { destinationOf, windowOf } from './incident-window.ts';

/** How an incident ended. What somebody did leads to its place. */
export function IncidentEnd({ incident }: { incident: IncidentAnswer }) {
  const done = lastDeed(incident);
  if (!done) return incidentEndText(incident);
  const { example, ended_after: last } = incident;
  const destination = destinationOf(incident);
  const search = windowOf(incident);
  return (
    <>
      {endedAfter(incident)} {done.by}{' '}
      {last?.cause === 'write' && example ? (
        <Link to="/activity/$" params={{ _splat: `${example.mount}/${example.secret_name}` }} search={search}>
          {done.deed}
        </Link>
      ) : destination ? (
        <Link to="/destinations/$type/$name/history" params={destination} search={search}>
          {done.deed}
        </Link>
      ) : (
        done.deed
      )}
    </>
  );
}
