import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { AuditEventAnswer, AuditEventsAnswer } from '../../../../api/contract/administration.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { SearchField } from '../../kit/search.tsx';
import { Time } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';
import { counted } from '../../kit/text/counted.ts';

const route = getRouteApi('/audit');
const OUTCOMES = ['attempted', 'succeeded', 'refused', 'failed'];
const SIZE = 50;

/** Who did what, newest first. */
export function Audit() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam }) => readPage(filter, pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
    placeholderData: (previous) => previous,
  });
  const setFilter = (change: EventFilter): void => {
    void navigate({ search: { ...filter, ...change }, replace: true });
  };
  const clear = (): void => void navigate({ search: {}, replace: true });
  return (
    <Page title="Audit" about="Who changed what, and who read a value.">
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
                {query.hasNextPage ? (
                  <Button busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                    Load more
                  </Button>
                ) : null}
              </div>
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

// A look at the trail has a limit, so a page may be short although there is more.
async function readPage(
  filter: EventFilter,
  after: string,
): Promise<{ events: AuditEventAnswer[]; next: string | null }> {
  const events: AuditEventAnswer[] = [];
  let next: string | null = after;
  while (next !== null && events.length < SIZE) {
    const search = new URLSearchParams({ 'page[size]': String(SIZE - events.length) });
    if (next !== '') search.set('page[after]', next);
    for (const [name, value] of Object.entries(filter)) {
      if (value) search.set(`filter[${name}]`, isTime(name) ? new Date(value).toISOString() : value);
    }
    const { data } = await call<AuditEventsAnswer>('GET', `/api/v2/admin/audit-events?${search.toString()}`);
    events.push(...data.data);
    next = data.meta.pagination['next-after'];
  }
  return { events, next };
}

function isTime(name: string): boolean {
  return name === 'since' || name === 'until';
}

/** Filters the audit trail; empty: all entries. */
export type EventFilter = {
  user?: string | undefined;
  secret?: string | undefined;
  address?: string | undefined;
  action?: string | undefined;
  path?: string | undefined;
  outcome?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
};

const FIELDS = [
  ['user', 'Person', 'text'],
  ['secret', 'Secret, with its mount', 'text'],
  ['address', 'Address', 'text'],
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
    </div>
  );
}

function NoEntry({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  if (!isFiltered) return <Empty title="No entries yet">Every change leaves an entry here.</Empty>;
  return <Empty title="No matching entries" action={<Button onClick={clear}>Clear the filter</Button>} />;
}

function EventTable({ events }: { events: AuditEventAnswer[] }) {
  return (
    <Table columns={['When', 'Who', 'What', 'Outcome']}>
      {events.map(({ id, attributes: event }) => (
        <tr key={id}>
          <td>
            <Time at={event.at} />
            <p className={`${kit.small} ${kit.muted}`}>{new Date(event.at).toLocaleString()}</p>
          </td>
          <td>
            {event.user ?? event.actor}
            <p className={`${kit.small} ${kit.muted}`}>
              {[event['auth-method'], event.address].filter(Boolean).join(' · ')}
            </p>
          </td>
          <td>
            <code>
              {event.action.split(' ', 1)[0]} {event.path}
            </code>
            {event.detail ? (
              <p className={`${kit.small} ${kit.muted}`}>
                {Object.entries(event.detail)
                  .map(
                    ([key, value]) => `${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
                  )
                  .join(' · ')}
              </p>
            ) : null}
          </td>
          <td>{[event.outcome, event.status].filter(Boolean).join(' ')}</td>
        </tr>
      ))}
    </Table>
  );
}
