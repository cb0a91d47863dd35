import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../kit/button.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { counted } from '../../kit/text/counted.ts';
import { EventTable } from './event-table.tsx';
import { readEvents, type EventFilter } from './events.ts';
import { EventFilters } from './event-filters.tsx';
import { Export } from './export.tsx';

const route = getRouteApi('/audit');

/** Who did what, newest first. */
export function Audit() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => readEvents(filter, pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
  });
  const setFilter = (change: EventFilter): void => {
    void navigate({ search: { ...filter, ...change }, replace: true });
  };
  const clear = (): void => void navigate({ search: {}, replace: true });
  return (
    <Page title="Audit" about="Who changed what, and who read a value." actions={<Export filter={filter} />}>
      <EventFilters
        filter={filter}
        events={query.data?.pages.flatMap((page) => page.events) ?? []}
        set={setFilter}
      />
      <Loaded query={query}>
        {({ pages }) => {
          const events = pages.flatMap((page) => page.events);
          if (events.length === 0)
            return <NoEntry isFiltered={Object.values(filter).some(Boolean)} clear={clear} />;
          return (
            <>
              <EventTable events={events} />
              <div className={`${kit.row} ${kit.spread}`}>
                <span className={kit.muted}>{counted(events.length, 'entry', 'entries')}</span>
                <LoadMore query={query} />
              </div>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function NoEntry({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  if (!isFiltered) return <Empty title="No entries yet">Every change leaves an entry here.</Empty>;
  return <Empty title="No matching entries" action={<Button onClick={clear}>Clear the filter</Button>} />;
}
