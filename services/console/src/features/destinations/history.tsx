import { getRouteApi } from '@tanstack/react-router';
import kit from '../../kit/kit.module.css';
import { ActivityFilters } from '../activity/activity-filters.tsx';
import type { ActivityFilter } from '../activity/filter.ts';
import { Incidents } from '../problems/incidents/incidents.tsx';
import { Changes, useChanges } from './changes.tsx';
import { DestinationPage } from './destination-page.tsx';

const route = getRouteApi('/destinations/$type/$name/history');

/** What failed at a destination, and who changed it or what is linked to it. */
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
  const set = (change: ActivityFilter): void =>
    void navigate({ search: { ...filter, ...change }, replace: true });
  const clear = (): void => void navigate({ search: {}, replace: true });
  const isOfChanges = who !== undefined || outcome !== undefined;
  return (
    <>
      <ActivityFilters
        filter={filter}
        seen={changes.data?.pages.flatMap(({ history }) => history.map(({ actor }) => actor)) ?? []}
        set={set}
      />
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="incidents">
        <h2 id="incidents">Incidents</h2>
        {isOfChanges ? (
          <p className={kit.muted}>
            Who and Outcome filter the changes below. Incidents are filtered by time alone.
          </p>
        ) : null}
        <Incidents destination={{ type, name }} filter={{ since, until }} clear={clear} />
      </section>
      <section className={`${kit.stack} ${kit.tight}`} aria-labelledby="changes">
        <h2 id="changes">Changes</h2>
        <Changes destination={{ type, name }} query={changes} filter={filter} clear={clear} />
      </section>
    </>
  );
}
