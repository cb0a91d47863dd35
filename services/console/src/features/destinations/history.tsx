import { getRouteApi } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import kit from '../../kit/kit.module.css';
import { Skeleton } from '../../kit/page.tsx';
import { ActivityFilters } from '../activity/activity-filters.tsx';
import type { ActivityFilter } from '../activity/filter.ts';
import { useDestinationAttempts } from '../activity/destination-attempts.ts';
import { Changes, useChanges } from './changes.tsx';
import { DestinationPage } from './destination-page.tsx';

// Come while the incidents and attempts are read.
const Incidents = lazy(async () => ({
  default: (await import('../problems/incidents/incidents.tsx')).Incidents,
}));
const Attempts = lazy(async () => ({ default: (await import('../activity/attempts-table.tsx')).Attempts }));

const route = getRouteApi('/destinations/$type/$name/history');

/** What failed at a destination, what was written there, and who changed it or what is linked to it. */
export function DestinationHistory() {
  const { type, name } = route.useParams();
  return (
    <DestinationPage type={type} name={name}>
      <Activity type={type} name={name} />
    </DestinationPage>
  );
}

function Activity({ type, name }: { type: string; name: string }) {
  const { since, until, who, outcome } = route.useSearch();
  const navigate = route.useNavigate();
  const filter = { since, until, who, outcome };
  const changes = useChanges({ type, name }, filter);
  const attempts = useDestinationAttempts({ type, name }, filter);
  const set = (change: ActivityFilter): void =>
    void navigate({ search: { ...filter, ...change }, replace: true });
  const clear = (): void => void navigate({ search: {}, replace: true });
  const doers = [
    ...(changes.data?.pages.flatMap(({ history }) => history.map(({ actor }) => actor)) ?? []),
    ...(attempts.data?.pages.flatMap(({ lines }) => lines.map(({ by }) => by)) ?? []),
  ];
  const isOfDoings = who !== undefined || outcome !== undefined;
  return (
    <>
      <ActivityFilters filter={filter} seen={doers} set={set} />
      <nav className={kit.row} aria-label="On this page">
        <a className={kit.touch} href="#incidents">
          Incidents
        </a>
        <a className={kit.touch} href="#attempts">
          Attempts
        </a>
        <a className={kit.touch} href="#changes">
          Changes
        </a>
      </nav>
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="incidents">
        <h2 id="incidents">Incidents</h2>
        {isOfDoings ? (
          <p className={kit.muted}>
            Who and Outcome filter the attempts and changes below. Incidents are filtered by time alone.
          </p>
        ) : null}
        <Suspense fallback={<Skeleton />}>
          <Incidents destination={{ type, name }} filter={{ since, until }} clear={clear} />
        </Suspense>
      </section>
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="attempts">
        <h2 id="attempts">Attempts</h2>
        <Suspense fallback={<Skeleton />}>
          <Attempts query={attempts} filter={filter} clear={clear} />
        </Suspense>
      </section>
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="changes">
        <h2 id="changes">Changes</h2>
        <Changes destination={{ type, name }} query={changes} filter={filter} clear={clear} />
      </section>
    </>
  );
}
