import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { LinkAnswer, LinksAnswer } from '../../../../api/contract/associations.ts';
import { readAllowed } from '../../api/rights.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { Button } from '../../kit/button.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import { Refusal } from '../../kit/refusing/refusal.tsx';
import { saveFile } from '../../kit/text/save-file.ts';
import { SearchField } from '../../kit/search.tsx';
import { Table } from '../../kit/table.tsx';
import { csvOf } from '../../kit/text/csv.ts';

const route = getRouteApi('/links');

const PAGE = 200;
const MOST_AT_ONCE = 1000;

type Wanted = { q?: string | undefined; namespaces?: 'below' | undefined };

/** Which secrets leave to which outside store. */
export function AllLinks() {
  const wanted = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['links', wanted],
    queryFn: ({ pageParam }) => readLinks(wanted, pageParam, PAGE),
    initialPageParam: '',
    getNextPageParam: ({ next_after: next }) => next,
  });
  const set = (change: Wanted): void => void navigate({ search: { ...wanted, ...change }, replace: true });
  return (
    <Page
      title="Links"
      about="Which secret is linked to which outside store, and the names under which it is kept there."
      actions={<Export wanted={wanted} />}
    >
      <div className={kit.row} role="search">
        <SearchField label="Secret or destination" value={wanted.q ?? ''} set={(q) => set({ q })} />
        <label className={kit.check}>
          <input
            type="checkbox"
            checked={wanted.namespaces === 'below'}
            onChange={(event) => set({ namespaces: event.target.checked ? 'below' : undefined })}
          />
          <span>Child namespaces too</span>
        </label>
      </div>
      <Loaded query={query}>
        {({ pages }) => {
          const links = pages.flatMap((page) => page.links);
          if (links.length === 0)
            return <Empty title={wanted.q ? 'No matching links' : 'No secret is linked to a store'} />;
          return (
            <>
              <Table columns={['Store', 'Destination', 'Secret', 'Names in the store']}>
                {links.map((link) => (
                  <Row key={keyOf(link)} link={link} />
                ))}
              </Table>
              <LoadMore query={query} />
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Row({ link }: { link: LinkAnswer }) {
  const { namespace, mount, secret_name: path, type, store, destination: name, external_names: names } = link;
  const secret = `${mount}/${path}`;
  return (
    <tr>
      <td>{store}</td>
      <td>
        <Link to="/destinations/$type/$name" params={{ type, name }} search={{ ns: namespace || undefined }}>
          {name}
        </Link>
        {namespace === '' ? null : <p className={`${kit.small} ${kit.muted}`}>Namespace {namespace}</p>}
      </td>
      <td>
        <Link
          to="/destinations/$type/$name/secret/$"
          params={{ type, name, _splat: secret }}
          search={{ ns: namespace || undefined }}
        >
          {secret}
        </Link>
      </td>
      <td className={kit.mono}>
        {names.length === 0 ? <span className={kit.muted}>not in the store</span> : names.join(', ')}
      </td>
    </tr>
  );
}

function Export({ wanted }: { wanted: Wanted }) {
  const { busy, failure, attempt } = useAttempt();
  const save = async (): Promise<void> => {
    const links: LinkAnswer[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page: LinksAnswer = await readLinks(wanted, after, MOST_AT_ONCE);
      links.push(...page.links);
      after = page.next_after;
    }
    const rows = links.map((link) => [
      link.namespace,
      link.store,
      link.type,
      link.destination,
      `${link.mount}/${link.secret_name}`,
      link.external_names.length > 0 ? 'yes' : 'no',
      link.external_names.join(' '),
    ]);
    const head = ['namespace', 'store', 'type', 'destination', 'secret', 'in-store', 'external-names'];
    const day = new Date().toISOString().slice(0, 10);
    saveFile(new Blob([csvOf([head, ...rows])], { type: 'text/csv' }), `links_${day}.csv`);
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

function readLinks({ q: text, namespaces }: Wanted, after: string, limit: number): Promise<LinksAnswer> {
  const query = new URLSearchParams({
    limit: String(limit),
    ...(text ? { q: text } : {}),
    ...(namespaces ? { namespaces } : {}),
    ...(after ? { after } : {}),
  });
  return readAllowed<LinksAnswer>(`sys/sync/links?${query.toString()}`);
}

function keyOf({ namespace, mount, secret_name: path, type, destination }: LinkAnswer): string {
  return [namespace, mount, path, type, destination].join(' ');
}
