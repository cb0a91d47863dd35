import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { RowAnswer, RowsAnswer } from '../../../../api/contract/associations.ts';
import { readRows, type RowFilter } from '../../api/queries.ts';
import { ownSummaryQuery } from '../../api/summary.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Skeleton } from '../../kit/page.tsx';
import { LatestResult } from '../../kit/results/latest.tsx';
import { SearchField } from '../../kit/search.tsx';
import { lookOf, STATUSES, statusByCause } from '../../kit/status.tsx';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';
import { RetryButton } from '../problems/retry-button.tsx';
import { DestinationPage } from './destination-page.tsx';
import { RowList, PAGE_ROWS } from './row-list.tsx';
import type { SecretRef } from '../plans/plan.ts';
import { amongAll, useSelection, type Selection } from '../plans/selection.ts';
import { TickAll } from '../plans/tick-all.tsx';
import { UnlinkMany } from './unlink-many.tsx';
import styles from './links.module.css';

// The list is there before anything is ticked.
const Selected = lazy(async () => ({ default: (await import('./selection/selected.tsx')).Selected }));

const route = getRouteApi('/destinations/$type/$name');

/** The links of a destination: to filter, count and retry together. */
export function Links() {
  const { type, name } = route.useParams();
  const { ns: _, ...filter } = route.useSearch();
  const ticked = useSelection();
  const { data: own } = useQuery(ownSummaryQuery(type, name));
  // Reads the first page again when the counts have changed, because the first page tells how many rows match.
  const version = JSON.stringify(own?.by_status ?? {});
  const wanted = JSON.stringify(filter);
  const first = useQuery({
    queryKey: ['rows', type, name, filter, 'first', version],
    queryFn: async () => ({
      ...(await readRows({ type, name }, filter, { after: '', limit: PAGE_ROWS, anchors: true })),
      wanted,
    }),
    placeholderData: (previous) => previous,
  });
  // The rows of the last filter stay until those of this one are there, but their number says nothing about it. Those of the
  // same filter do while they are read again: a question about them stays open.
  const known = first.data?.wanted === wanted ? first.data : undefined;
  const isFiltered = Boolean(filter.status ?? filter.cause ?? filter.q);
  // What was unlinked meanwhile is no longer ticked.
  const isAll = !isFiltered && known !== undefined && known.rows.length === known.total;
  const selection = amongAll(ticked, isAll ? known.rows : null);
  return (
    <DestinationPage type={type} name={name}>
      <Filters
        type={type}
        name={name}
        filter={filter}
        counts={own?.by_status ?? null}
        held={own?.held ?? null}
        total={own?.total ?? (isFiltered ? null : (known?.total ?? null))}
        found={known?.total ?? 0}
        // What was asked about links is done, also if they were ticked for it.
        done={(links) => (links ? ticked.setAll(links, false) : ticked.clear())}
      />
      <Suspense fallback={null}>
        <Selected type={type} name={name} selection={selection} />
      </Suspense>
      <LatestResult />
      {first.error ? <FailureNotice failure={first.error} retry={() => void first.refetch()} /> : null}
      {first.isPending ? <Skeleton rows={8} /> : null}
      {known?.total === 0 ? isFiltered ? <NoMatches type={type} name={name} /> : <NoLinks /> : null}
      {first.data && (first.data.total ?? 0) > 0 ? (
        <div className={`${kit.stack} ${first.error ? kit.stale : ''}`}>
          <TickShown of={first.data} selection={selection} />
          <RowList
            type={type}
            name={name}
            filter={filter}
            first={first.data}
            version={version}
            selection={selection}
          />
        </div>
      ) : null}
    </DestinationPage>
  );
}

function NoMatches({ type, name }: { type: string; name: string }) {
  return (
    <Empty
      title="No matching links"
      action={
        <Link to="/destinations/$type/$name" params={{ type, name }} search={{}} className={kit.button}>
          Clear the filter
        </Link>
      }
    />
  );
}

function NoLinks() {
  return (
    <Empty title="No secrets linked yet">
      A linked secret is synced immediately, and after every change.
    </Empty>
  );
}

// More than a page is not selected at once.
function TickShown({ of: { rows, total }, selection }: { of: RowsAnswer; selection: Selection }) {
  if ((total ?? 0) > PAGE_ROWS) return null;
  return <TickAll secrets={rows.map(refOf)} noun="link" selection={selection} />;
}

function refOf({ mount, secret_name }: RowAnswer): SecretRef {
  return { mount, secret_name };
}

type Counted = {
  type: string;
  name: string;
  filter: RowFilter;
  /** Null while they are not known. */
  counts: Record<string, number> | null;
  /** What holds the destination back. */
  held: { code: string } | null;
  total: number | null;
};

type Found = {
  found: number;
  /** Called with the links about which something was asked; undefined: nobody knows which. */
  done: (links: SecretRef[] | undefined) => void;
};

function Filters({ found, done, ...counted }: Counted & Found) {
  const { type, name, filter } = counted;
  const navigate = route.useNavigate();
  const isFiltered = Boolean(filter.status ?? filter.cause ?? filter.q);
  const isFailing = filter.cause !== undefined || /ERROR/.test(filter.status ?? '');
  return (
    <div className={kit.row} role="search">
      <SearchField
        label="Filter by name"
        value={filter.q ?? ''}
        set={(q) => void navigate({ search: { ...filter, q }, replace: true })}
      />
      <StatusLinks {...counted} />
      {filter.cause ? <span className={kit.chip}>{titleOfCause(filter.cause)}</span> : null}
      {isFailing ? (
        <RetryButton
          type={type}
          name={name}
          filter={{ cause: filter.cause, status: filter.status ? [filter.status] : undefined, q: filter.q }}
          retried={done}
        >
          {found > 0 ? `Retry ${found.toLocaleString('en')}` : 'Retry'}
        </RetryButton>
      ) : null}
      {isFiltered && found > 0 ? (
        <UnlinkMany type={type} name={name} filter={filter} count={found} done={done} />
      ) : null}
    </div>
  );
}

function StatusLinks({ type, name, filter, counts, held, total }: Counted) {
  const shown = STATUSES.filter((status) => (counts?.[status] ?? 0) > 0 || status === filter.status);
  return (
    <>
      <Link
        to="/destinations/$type/$name"
        params={{ type, name }}
        search={{ ...filter, status: undefined, cause: undefined }}
        className={`${kit.button} ${filter.status || filter.cause ? '' : styles.on}`}
      >
        All {total === null ? '–' : total.toLocaleString('en')}
      </Link>
      {shown.map((status) => (
        <Link
          key={status}
          to="/destinations/$type/$name"
          params={{ type, name }}
          search={{ ...filter, status, cause: undefined }}
          className={`${kit.button} ${filter.status === status ? styles.on : ''}`}
        >
          {lookOf(statusByCause(status, held)).word}{' '}
          {counts === null ? '–' : (counts[status] ?? 0).toLocaleString('en')}
        </Link>
      ))}
    </>
  );
}
