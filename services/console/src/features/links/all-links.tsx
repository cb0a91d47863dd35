import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { LinkAnswer, LinksAnswer } from '../../../../api/contract/associations.ts';
import { readAllowed } from '../../api/rights.ts';
import type { DestinationSearch } from '../../api/summary.ts';
import { useStoreTypes } from '../../api/vendors.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import { Choice } from '../../kit/picker/choice.tsx';
import { FoldedFilters } from '../../kit/picker/folded-filters.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { saveFile } from '../../kit/text/save-file.ts';
import { SearchField } from '../../kit/search.tsx';
import { lookOf, Status, STATUS_OPTIONS, statusByCause } from '../../kit/status.tsx';
import { Table } from '../../kit/table.tsx';
import { counted } from '../../kit/text/counted.ts';
import { PathText } from '../../kit/text/path-text.tsx';
import { csvOf } from '../../kit/text/csv.ts';
import { Time } from '../../kit/time.tsx';
import { InstallationPause } from '../pauses/pause-notices.tsx';
import { titleOfCause } from '../../../../../libs/telling/cause-titles.ts';

const route = getRouteApi('/links');

const LINKS = { path: 'sys/sync/links', capability: 'read' };
const PAGE = 200;
const MOST_AT_ONCE = 1000;

const ORDERS = [
  ['', 'Sort by destination'],
  ['secret', 'Sort by secret'],
] as const;

/** Which secrets leave to which outside store, and whether they are in sync there. */
export function AllLinks() {
  const wanted = route.useSearch();
  const query = useInfiniteQuery({
    queryKey: ['links', wanted],
    queryFn: ({ pageParam }) => readMatches(wanted, pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next_after: next }) => next,
    placeholderData: (previous) => previous,
  });
  const isFiltered = Boolean(wanted.q ?? wanted.type ?? wanted.status);
  return (
    <Page
      title="Links"
      rights={[LINKS]}
      about="Which secret is linked to which outside store, whether it is in sync there, and under which names."
      actions={<Export wanted={wanted} />}
    >
      <InstallationPause />
      <Filters wanted={wanted} />
      <Loaded query={query}>
        {({ pages }) => {
          const links = pages.flatMap((page) => page.links);
          if (links.length === 0)
            return <Empty title={isFiltered ? 'No matching links' : 'No secret is linked to a store'} />;
          return (
            <div className={`${kit.stack} ${query.isPlaceholderData ? kit.stale : ''}`}>
              <Table columns={['Secret', 'Destination', 'Status', 'Since', 'Names in the store']}>
                {links.map((link) => (
                  <Row key={keyOf(link)} link={link} />
                ))}
              </Table>
              <div className={`${kit.row} ${kit.spread}`}>
                <span className={kit.muted}>
                  {query.hasNextPage
                    ? `The first ${counted(links.length, 'link')}`
                    : counted(links.length, 'link')}
                </span>
                <LoadMore query={query} />
              </div>
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Filters({ wanted }: { wanted: DestinationSearch }) {
  const navigate = route.useNavigate();
  const stores = useStoreTypes();
  const set = (change: DestinationSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <FoldedFilters count={[wanted.q, wanted.type, wanted.status, wanted.namespaces].filter(Boolean).length}>
      <SearchField label="Secret or destination" value={wanted.q ?? ''} set={(q) => set({ q })} />
      <Choice
        label="Store"
        options={[['', 'All stores'], ...stores]}
        value={wanted.type}
        set={(type) => set({ type })}
      />
      <Choice
        label="Status"
        options={STATUS_OPTIONS}
        value={wanted.status}
        set={(status) => set({ status })}
      />
      <Choice label="Order" options={ORDERS} value={wanted.sort} set={(sort) => set({ sort })} />
      <label className={kit.check}>
        <input
          type="checkbox"
          checked={wanted.namespaces === 'below'}
          onChange={(event) => set({ namespaces: event.target.checked ? 'below' : undefined })}
        />
        <span>Child namespaces too</span>
      </label>
    </FoldedFilters>
  );
}

function Row({ link }: { link: LinkAnswer }) {
  const { namespace, type, store, destination: name, external_names: names, cause } = link;
  const secret = secretOf(link);
  const search = { ns: namespace || undefined };
  return (
    <tr>
      <td>
        <Link to="/destinations/$type/$name/secret/$" params={{ type, name, _splat: secret }} search={search}>
          <PathText path={secret} />
        </Link>
        {namespace === '' ? null : <p className={`${kit.small} ${kit.muted}`}>Namespace {namespace}</p>}
      </td>
      <td>
        <Link to="/destinations/$type/$name" params={{ type, name }} search={search}>
          {name}
        </Link>
        <p className={`${kit.small} ${kit.muted}`}>{store}</p>
      </td>
      <td>
        <Status status={statusByCause(link.sync_status, cause ?? link.last_failure)} />
        {cause && cause.code !== 'paused' ? (
          <p className={`${kit.small} ${kit.muted}`}>{titleOfCause(cause.code)}</p>
        ) : null}
      </td>
      <td>
        <Time at={link.since ?? link.updated_at} />
      </td>
      <td className={kit.own}>
        {names.length === 0 ? (
          <span className={kit.muted}>Not in the store</span>
        ) : (
          names.map((one) => (
            <p key={one} className={kit.mono}>
              <PathText path={one} />
            </p>
          ))
        )}
      </td>
    </tr>
  );
}

// A key of the CSV file is a name of the API where it has one.
const COLUMNS: [name: string, value: (link: LinkAnswer) => string][] = [
  ['namespace', ({ namespace }) => namespace],
  ['secret', secretOf],
  ['store', ({ store }) => store],
  ['type', ({ type }) => type],
  ['destination', ({ destination }) => destination],
  [
    'status',
    ({ sync_status: status, cause, last_failure: last }) => lookOf(statusByCause(status, cause ?? last)).word,
  ],
  ['since-utc', ({ since, updated_at: updated }) => new Date(since ?? updated).toISOString()],
  ['cause', ({ cause }) => (cause ? titleOfCause(cause.code) : '')],
  ['in-store', ({ external_names: names }) => (names.length > 0 ? 'yes' : 'no')],
  ['external-names', ({ external_names: names }) => names.join(' ')],
];

function Export({ wanted }: { wanted: DestinationSearch }) {
  const { busy, failure, attempt } = useAttempt();
  const save = async (): Promise<void> => {
    const rows = [COLUMNS.map(([name]) => name)];
    for (let after: string | null = ''; after !== null;) {
      const page: LinksAnswer = await readLinks(wanted, after, MOST_AT_ONCE);
      rows.push(...page.links.map((link) => COLUMNS.map(([, valueOf]) => valueOf(link))));
      after = page.next_after;
    }
    const day = new Date().toISOString().slice(0, 10);
    saveFile(new Blob([csvOf(rows)], { type: 'text/csv' }), `links_${day}.csv`);
  };
  return (
    <div className={`${kit.stack} ${kit.tight}`}>
      <Button busy={busy} onClick={() => void attempt(save)}>
        Export CSV
      </Button>
      <Refusal failure={failure} />
    </div>
  );
}

// One call of a search looks at a part of the links, so it may take several until one matches.
async function readMatches(search: DestinationSearch, after: string): Promise<LinksAnswer> {
  let page: LinksAnswer = await readLinks(search, after, PAGE);
  while (page.links.length === 0 && page.next_after !== null)
    page = await readLinks(search, page.next_after, PAGE);
  return page;
}

function readLinks(search: DestinationSearch, after: string, limit: number): Promise<LinksAnswer> {
  const { q, type, status, sort, namespaces } = search;
  const wanted = Object.entries({ q, type, status, sort, namespaces, after, limit: String(limit) });
  const query = new URLSearchParams(wanted.flatMap(([name, value]) => (value ? [[name, value]] : [])));
  return readAllowed<LinksAnswer>(`sys/sync/links?${query.toString()}`);
}

function secretOf({ mount, secret_name: path }: LinkAnswer): string {
  return `${mount}/${path}`;
}

function keyOf(link: LinkAnswer): string {
  return [link.namespace, secretOf(link), link.type, link.destination].join(' ');
}
