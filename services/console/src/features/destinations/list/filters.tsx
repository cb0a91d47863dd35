import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { currentNamespace, namespaceFromHome } from '../../../api/client.ts';
import { namespacesQuery, namespacesRight } from '../../../api/queries.ts';
import type { DestinationSearch } from '../../../api/summary.ts';
import { useStoreTypes } from '../../../api/vendors.ts';
import kit from '../../../kit/kit.module.css';
import { Choice } from '../../../kit/picker/choice.tsx';
import { FoldedFilters } from '../../../kit/picker/folded-filters.tsx';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import { SearchField } from '../../../kit/search.tsx';
import { STATUS_OPTIONS } from '../../../kit/status.tsx';
import { counted } from '../../../kit/text/counted.ts';

const route = getRouteApi('/destinations');

const ORDERS: [value: string, word: string][] = [
  ['', 'Worst status first'],
  ['name', 'Sort by name'],
  ['type', 'Group by store'],
  ['status', 'Group by status'],
  ['links', 'Sort by number of links'],
];

/** What the list shows, and in which order. The address has all of it. */
export function Filters({ search, total }: { search: DestinationSearch; total: number | null }) {
  const navigate = route.useNavigate();
  const change = (next: Partial<DestinationSearch>): void =>
    void navigate({ search: { ...search, ...next }, replace: true });
  return (
    <div className={kit.row}>
      <FoldedFilters count={[search.q, search.type, search.status, search.namespaces].filter(Boolean).length}>
        <SearchField label="Filter by name or store" value={search.q ?? ''} set={(q) => change({ q })} />
        <Choice
          label="Store"
          options={[['', 'All stores'], ...useStoreTypes()]}
          value={search.type}
          set={(type) => change({ type })}
        />
        <Choice
          label="Status"
          options={STATUS_OPTIONS}
          value={search.status}
          set={(status) => change({ status })}
        />
        <Choice label="Order" options={ORDERS} value={search.sort} set={(sort) => change({ sort })} />
        <Namespaces all={search.namespaces === 'below'} />
      </FoldedFilters>
      <span className={kit.muted} role="status">
        {total === null ? '–' : counted(total, 'destination')}
      </span>
    </div>
  );
}

const ALL = '*';

// Only where there are several. The header has a way to those that are not directly below this one.
function Namespaces({ all }: { all: boolean }) {
  const navigate = route.useNavigate();
  const { data: below = [] } = useQuery({
    ...namespacesQuery(''),
    enabled: useHasRights([namespacesRight('')]),
  });
  const here = currentNamespace();
  if (below.length === 0 && !all && namespaceFromHome() === '') return null;
  const paths = below.map((name) => [here, name.replace(/\/$/, '')].filter(Boolean).join('/'));
  return (
    <Choice
      label="Namespace"
      options={[
        [here, here || 'root'],
        [ALL, 'All namespaces'],
        ...paths.map((path) => [path, path] as const),
      ]}
      value={all ? ALL : here}
      set={(to) =>
        void navigate({
          search: (before) =>
            to === ALL
              ? { ...before, namespaces: 'below' }
              : { ...before, ns: to ?? '', namespaces: undefined },
        })
      }
    />
  );
}
