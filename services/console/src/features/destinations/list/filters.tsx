import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { currentNamespace, namespaceFromHome } from '../../../api/client.ts';
import { namespacesQuery, namespacesRight, schemasQuery } from '../../../api/queries.ts';
import type { DestinationSearch } from '../../../api/summary.ts';
import kit from '../../../kit/kit.module.css';
import { useHasRights } from '../../../kit/rights/allowed.ts';
import { SearchField } from '../../../kit/search.tsx';
import { lookOf, STATUSES } from '../../../kit/status.tsx';
import { counted } from '../../../kit/text/counted.ts';
import styles from './destination-list.module.css';

const route = getRouteApi('/destinations');

const ORDERS: [value: string, word: string][] = [
  ['', 'Sort by name'],
  ['type', 'Group by store'],
  ['status', 'Group by status'],
  ['links', 'Sort by number of links'],
];

/** What the list shows, and in which order. The address has all of it. */
export function Filters({ search, total }: { search: DestinationSearch; total: number | null }) {
  const navigate = route.useNavigate();
  const { data: schemas } = useQuery(schemasQuery);
  const change = (next: Partial<DestinationSearch>): void =>
    void navigate({ search: { ...search, ...next }, replace: true });
  return (
    <div className={kit.row} role="search">
      <SearchField label="Filter by name or store" value={search.q ?? ''} set={(q) => change({ q })} />
      <Choice label="Store" value={search.type} set={(type) => change({ type })}>
        <option value="">All stores</option>
        {(schemas?.destinations ?? [])
          .toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
          .map(({ type, title }) => (
            <option key={type} value={type}>
              {title}
            </option>
          ))}
      </Choice>
      <Choice label="Status" value={search.status} set={(status) => change({ status })}>
        <option value="">Any status</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {lookOf(status).word}
          </option>
        ))}
      </Choice>
      <Choice label="Order" value={search.sort} set={(sort) => change({ sort })}>
        {ORDERS.map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </Choice>
      <Namespaces all={search.namespaces === 'below'} />
      <span className={kit.muted} role="status">
        {total === null ? '–' : counted(total, 'destination')}
      </span>
    </div>
  );
}

function Choice({
  label,
  value = '',
  set,
  children,
}: {
  label: string;
  value: string | undefined;
  set: (value: string | undefined) => void;
  children: ReactNode;
}) {
  return (
    <select
      className={`${kit.input} ${styles.choice}`}
      aria-label={label}
      value={value}
      onChange={(event) => set(event.target.value || undefined)}
    >
      {children}
    </select>
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
      value={all ? ALL : here}
      set={(to) =>
        void navigate({
          search: (before) =>
            to === ALL ? { ...before, namespaces: 'below' } : { ...before, ns: to, namespaces: undefined },
        })
      }
    >
      <option value={here}>{here === '' ? 'root' : here}</option>
      <option value={ALL}>All namespaces</option>
      {paths.map((path) => (
        <option key={path} value={path}>
          {path}
        </option>
      ))}
    </Choice>
  );
}
