import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { isAtHome } from '../../api/client.ts';
import { untilEnded } from '../../api/polling.ts';
import { AUDIT } from '../../api/right.ts';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { LoadMore } from '../../kit/pages.tsx';
import kit from '../../kit/kit.module.css';
import { Loaded, Page } from '../../kit/page.tsx';
import { eventFilterIn } from '../../searches.ts';
import { counted } from '../../kit/text/counted.ts';
import { EventTable } from './event-table.tsx';
import { EVERY_NAMESPACE, readEvents, type EventFilter } from './events.ts';
import { EventFilters } from './event-filters.tsx';
import { Export } from './export.tsx';
import { NoEntry } from './no-entry.tsx';

const route = getRouteApi('/audit');
const STORIES = { path: 'sys/story/*', capability: 'read' };

/** Who did what, newest first. */
export function Audit() {
  // The namespace of the page is no filter by itself: see there.
  const filter = eventFilterIn(route.useSearch());
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => readEvents(filter, pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
    refetchInterval: (reading) =>
      untilEnded(
        reading,
        reading.state.data?.pages.flatMap(({ events }) => events.map(({ attributes }) => attributes)),
      ),
  });
  const setFilter = (change: EventFilter): void => {
    void navigate({ search: { ...filter, ...change }, replace: true });
  };
  const clear = (): void =>
    void navigate({ search: isAtHome() ? {} : { namespace: EVERY_NAMESPACE }, replace: true });
  const attempts = useHasRights([STORIES])
    ? ' Attempts to write to stores are in the Activity of each secret and destination.'
    : ' “Succeeded” means that Sealift accepted the request. What was then written to stores is in the Activity of each secret and destination; that of a secret needs permissions of its own.';
  return (
    <Page
      title="Audit"
      rights={[AUDIT]}
      about={`Who changed what, and who read a value.${attempts}${keptText(query.data?.pages[0]?.keptDays)}`}
      actions={<Export filter={filter} />}
    >
      <EventFilters
        filter={filter}
        events={query.data?.pages.flatMap((page) => page.events) ?? []}
        set={setFilter}
      />
      <Loaded query={query}>
        {({ pages }) => {
          const events = pages.flatMap((page) => page.events);
          if (events.length === 0) return <NoEntry filter={filter} clear={clear} />;
          return (
            <div className={`${kit.stack} ${query.isPlaceholderData ? kit.stale : ''}`}>
              <EventTable events={events} />
              <div className={`${kit.row} ${kit.spread}`}>
                <span className={kit.muted}>{counted(events.length, 'entry', 'entries')}</span>
                <LoadMore query={query} />
              </div>
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function keptText(days: number | null | undefined): string {
  if (days === undefined) return '';
  return days === null ? ' Entries are kept for ever.' : ` Entries are kept for ${counted(days, 'day')}.`;
}
