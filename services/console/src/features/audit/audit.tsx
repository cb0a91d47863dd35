import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Button } from '../../kit/button.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { SearchField } from '../../kit/search.tsx';
import { counted } from '../../kit/text/counted.ts';
import { EventTable } from './event-table.tsx';
import { readEvents, type EventFilter } from './events.ts';
import { Export } from './export.tsx';

const route = getRouteApi('/audit');
const OUTCOMES = ['attempted', 'succeeded', 'refused', 'failed'];

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
      <Filters filter={filter} set={setFilter} />
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

const FIELDS = [
  ['user', 'Person', 'text'],
  ['actor', 'Token name', 'text'],
  ['token', 'Token accessor', 'text'],
  ['secret', 'Secret, with its mount', 'text'],
  ['address', 'Address', 'text'],
  ['action', 'Action', 'text'],
  ['since', 'From', 'datetime-local'],
  ['until', 'Until', 'datetime-local'],
] as const;

function Filters({ filter, set }: { filter: EventFilter; set: (change: EventFilter) => void }) {
  return (
    <div className={kit.row} role="search">
      <SearchField label="Path begins with" value={filter.path ?? ''} set={(path) => set({ path })} />
      {FIELDS.map(([name, label, type]) => (
        // The start of an address or of a secret's name is no filter yet: a field counts when it is left, or at Enter.
        <input
          key={`${name} ${filter[name] ?? ''}`}
          type={type}
          className={kit.input}
          aria-label={label}
          title={label}
          placeholder={label}
          defaultValue={filter[name] ?? ''}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
          onBlur={({ target: { value } }) => {
            if (value !== (filter[name] ?? '')) set({ [name]: value || undefined });
          }}
        />
      ))}
      <div>
        <select
          className={kit.input}
          aria-label="Outcome"
          value={filter.outcome ?? ''}
          onChange={(event) => set({ outcome: event.target.value || undefined })}
        >
          <option value="">Any outcome</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome}>{outcome}</option>
          ))}
        </select>
      </div>
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={filter.all ?? false}
          onChange={(event) => set({ all: event.target.checked || undefined })}
        />
        <span>Show the console’s own requests</span>
      </label>
    </div>
  );
}

function NoEntry({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  if (!isFiltered) return <Empty title="No entries yet">Every change leaves an entry here.</Empty>;
  return <Empty title="No matching entries" action={<Button onClick={clear}>Clear the filter</Button>} />;
}
