import { Link } from '@tanstack/react-router';
import { actorText } from '../../../../../libs/telling/actor.ts';
import type { IncidentAnswer } from '../../../../api/contract/summary.ts';
import { destinationOf, windowOf } from './incident-window.ts';

// What somebody did to a link or its destination; the version of a save is named beside it.
const DEEDS: Record<string, string> = {
  link: 'asked for a sync',
  adopt: 'adopted the entry',
  overwrite: 'overwrote the entry',
  rename: 'renamed the entry',
  unlink: 'unlinked the secret',
  retry: 'retried',
  destination: 'changed the destination',
  drift: 'compared the values',
};

/** How an incident ended. Only what came before its end is known, and not what ended it. */
export function IncidentEnd({ incident }: { incident: IncidentAnswer }) {
  const { cause, ended, ended_after: last } = incident;
  switch (ended) {
    case null:
      // A rate limit needs no action.
      return cause.code === 'rate_limited' ? 'Waiting' : 'Still failing';
    case 'itself':
      return last?.cause === 'schedule' ? 'Ended after an automatic retry' : 'Ended';
    case 'person':
      return <AfterDeed incident={incident} />;
    case 'removed':
      return last?.cause === 'unlink' ? (
        <AfterDeed incident={incident} />
      ) : (
        'Ended when its links were removed'
      );
    case 'other_cause':
      return 'Then failed for another cause';
  }
}

function AfterDeed({ incident }: { incident: IncidentAnswer }) {
  const { example, ended_by: by, ended_after: last } = incident;
  const destination = destinationOf(incident);
  if (!by || !last) return 'Ended';
  const saved = last.cause === 'write' && last.version !== null ? `saved v${last.version}` : undefined;
  const deed = saved ?? DEEDS[last.cause];
  if (deed === undefined) return 'Ended';
  const search = windowOf(incident);
  return (
    <>
      Ended after {actorText(by)}{' '}
      {saved && example ? (
        <Link to="/activity/$" params={{ _splat: `${example.mount}/${example.secret_name}` }} search={search}>
          {deed}
        </Link>
      ) : destination ? (
        <Link to="/destinations/$type/$name/history" params={destination} search={search}>
          {deed}
        </Link>
      ) : (
        deed
      )}
    </>
  );
}
