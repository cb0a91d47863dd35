import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { destinationsQuery } from '../../../api/summary.ts';
import { FailureNotice } from '../../../kit/failure-notice.tsx';
import kit from '../../../kit/kit.module.css';
import { Empty, Page, Skeleton } from '../../../kit/page.tsx';
import { Guarded } from '../../../kit/rights/guarded.tsx';
import { CONNECTION, ConnectLink } from '../../connect/connect-link.tsx';
import { InstallationPause } from '../../pauses/pause-notices.tsx';
import { DestinationList } from './destination-list.tsx';
import { Filters } from './filters.tsx';

const route = getRouteApi('/destinations');

const LIST = { path: 'sys/sync/summary/destinations', capability: 'read' };
const LINKS = { path: 'sys/sync/links', capability: 'read' };

/** All destinations: to find by name, store or status, sorted or grouped. */
export function Destinations() {
  const { q, type, status, sort, namespaces } = route.useSearch();
  const chosen = { q, type, status, sort, namespaces };
  // What fails is what people come for.
  const search = { ...chosen, sort: sort ?? 'status' };
  const first = useQuery(destinationsQuery(search, 0));
  const known = first.isPlaceholderData ? undefined : first.data;
  const isFiltered = Boolean(q ?? type ?? status ?? namespaces);
  const isRefused = first.isLoadingError;
  const connect = <ConnectLink />;
  return (
    <Page
      title="Destinations"
      rights={[LIST]}
      parts={[LINKS, CONNECTION]}
      about="The stores that secrets are synced to."
      actions={
        <>
          <Guarded right={LINKS} label="All links">
            <Link to="/links" search={{}} className={kit.button}>
              All links
            </Link>
          </Guarded>
          {connect}
        </>
      }
    >
      <InstallationPause />
      {(isFiltered || known?.total !== 0) && !isRefused ? (
        <Filters search={chosen} total={known?.total ?? null} />
      ) : null}
      {first.error ? <FailureNotice failure={first.error} retry={() => void first.refetch()} /> : null}
      {first.isPending ? <Skeleton rows={8} /> : null}
      {known?.total === 0 ? (
        isFiltered ? (
          <Empty
            title="No matching destinations"
            action={
              <Link to="/destinations" search={{}} className={kit.button}>
                Clear the filter
              </Link>
            }
          />
        ) : (
          <Empty title="No destinations yet" action={connect}>
            A destination is a connection to one external store, such as AWS Secrets Manager.
          </Empty>
        )
      ) : null}
      {first.data && first.data.total > 0 ? (
        <div className={first.error ? kit.stale : ''}>
          <DestinationList search={search} first={sort ? first.data : { ...first.data, groups: [] }} />
        </div>
      ) : null}
    </Page>
  );
}
