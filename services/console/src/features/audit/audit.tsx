import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuditEventAnswer } from '../../../../api/contract/administration.ts';
import { call } from '../../api/client.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { Pages } from '../../kit/pages.tsx';
import { SearchField } from '../../kit/search.tsx';
import { Time } from '../../kit/time.tsx';
import { Table } from '../../kit/table.tsx';

type Events = {
  data: AuditEventAnswer[];
  meta: { pagination: { 'current-page': number; 'total-pages': number; 'total-count': number } };
};

const route = getRouteApi('/audit');
const OUTCOMES = ['attempted', 'succeeded', 'refused', 'failed'];

/** Who did what, newest first. */
export function Audit() {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const [page, setPage] = useState(1);
  const query = useQuery({
    queryKey: ['audit', filter, page],
    queryFn: async () => {
      const search = new URLSearchParams({ 'page[number]': String(page), 'page[size]': '50' });
      for (const [name, value] of Object.entries(filter)) if (value) search.set(`filter[${name}]`, value);
      return (await call<Events>('GET', `/api/v2/admin/audit-events?${search.toString()}`)).data;
    },
    placeholderData: (previous) => previous,
  });
  const setFilter = (change: Filter): void => {
    setPage(1);
    void navigate({ search: { ...filter, ...change }, replace: true });
  };
  return (
    <Page title="Audit" about="Who changed what, and who saw a value.">
      <Filters filter={filter} set={setFilter} />
      <Loaded query={query}>
        {({ data, meta: { pagination } }) =>
          data.length === 0 ? (
            <NoEntry
              isFiltered={Object.values(filter).some(Boolean)}
              clear={() => setFilter({ action: undefined, path: undefined, outcome: undefined })}
            />
          ) : (
            <>
              <EventTable events={data} />
              <Pages
                page={page}
                pages={pagination['total-pages']}
                total={query.isPlaceholderData ? null : pagination['total-count']}
                noun="entries"
                go={setPage}
              />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

type Filter = { action?: string | undefined; path?: string | undefined; outcome?: string | undefined };

function Filters({ filter, set }: { filter: Filter; set: (change: Filter) => void }) {
  return (
    <div className={kit.row} role="search">
      <SearchField label="Path begins with" value={filter.path ?? ''} set={(path) => set({ path })} />
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
  if (!isFiltered) return <Empty title="No change is recorded yet">Every change leaves an entry here.</Empty>;
  return <Empty title="No entry matches" action={<Button onClick={clear}>Clear the filter</Button>} />;
}

function EventTable({ events }: { events: AuditEventAnswer[] }) {
  return (
    <Table columns={['When', 'Who', 'What', 'Outcome']}>
      {events.map(({ id, attributes: event }) => (
        <tr key={id}>
          <td>
            <Time at={event.at} />
          </td>
          <td>{event.actor}</td>
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
          <td>{event.outcome}</td>
        </tr>
      ))}
    </Table>
  );
}
