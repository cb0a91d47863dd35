import { Link } from '@tanstack/react-router';
import type { IncidentAnswer } from '../../../../../api/contract/summary.ts';
import { pathOf } from '../../../api/client.ts';
import { rightFor } from '../../../api/right.ts';
import kit from '../../../kit/kit.module.css';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import { Time, useNow } from '../../../kit/time.tsx';

// For how long the messages of alerts are kept.
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

const ALERTS = { path: 'sys/alerts', capability: 'list' };

/** Who was alerted of an incident, and by which rule. */
export function Told({ incident: { told, opened_at: opened } }: { incident: IncidentAnswer }) {
  const now = useNow();
  if (told.length === 0)
    return now - new Date(opened).getTime() > KEPT_MS ? null : (
      <p className={kit.small}>
        <NoAlert />
      </p>
    );
  return told.map(({ rule, deleted, at, earlier }) => (
    <p key={`${rule} ${String(at)}`} className={`${kit.small} ${kit.muted}`}>
      Alert sent <Time at={at} /> by{' '}
      {rule === null ? 'a rule set elsewhere' : deleted ? rule : <Rule name={rule} />}
      {deleted ? ' (deleted)' : null}
      {earlier ? ', with an earlier incident' : null}
    </p>
  ));
}

function NoAlert() {
  const text = 'No alert of its own was sent';
  return useHasRights([ALERTS]) ? (
    <Link to="/alerts">{text}</Link>
  ) : (
    <span className={kit.muted}>{text}</span>
  );
}

function Rule({ name }: { name: string }) {
  const mayOpen = useHasRights([rightFor('GET', `sys/alerts/${pathOf(name)}`)]);
  if (!mayOpen) return name;
  return (
    <Link to="/alerts/$name" params={{ name }}>
      {name}
    </Link>
  );
}
