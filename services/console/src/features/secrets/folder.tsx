import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { usePaused } from '../../kit/paused.ts';
import { Button } from '../../kit/button.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded } from '../../kit/page.tsx';
import { Notice } from '../../kit/notice.tsx';
import { MissingRights } from '../../kit/rights/missing-right.tsx';
import { SearchField } from '../../kit/search.tsx';
import type { SecretRef } from '../plans/plan.ts';
import { TickAll } from '../plans/tick-all.tsx';
import { counted } from '../../kit/text/counted.ts';
import { useSelection, type Selection } from '../plans/selection.ts';
import { SelectedSecrets } from './selection/selected-secrets.tsx';
import { SecretTable, type Row } from './secret-table.tsx';
import { findingQuery, listingQuery } from './queries.ts';

const route = getRouteApi('/secrets/$');

/** The contents of a folder of a mount; an empty folder is the mount itself. `full`: as the address has it. */
export function Folder({ mount, folder, full }: { mount: string; folder: string; full: string }) {
  const { q: search = '' } = route.useSearch();
  const navigate = route.useNavigate();
  // The router's own parameter would lose the last slash.
  const setSearch = (q?: string): void =>
    void navigate({ params: { _splat: full }, search: (before) => ({ ...before, q }), replace: true });
  const text = usePaused(search.trim());
  const base = [mount, folder].filter(Boolean).join('/');
  const selection = useSelection();
  const list = { mount, base, selection };
  return (
    <>
      <div className={kit.row} role="search">
        <SearchField label="Search by name" value={search} set={setSearch} />
      </div>
      <SelectedSecrets selection={selection} />
      {search.trim() === '' ? (
        <Listing {...list} folder={folder} />
      ) : (
        <Findings {...list} text={text} clear={() => setSearch()} />
      )}
    </>
  );
}

type List = { mount: string; base: string; selection: Selection };

function Listing({ folder, ...list }: List & { folder: string }) {
  const { mount, base } = list;
  const query = useInfiniteQuery(listingQuery(mount, folder));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages.flatMap(({ keys, key_info: info }) =>
          keys.map((key): Row => ({ name: key, path: `${base}/${key}`, info: info?.[key] })),
        );
        if (rows.length === 0)
          return <Empty title="No secrets yet">Create one here, or write one with any KV client.</Empty>;
        return (
          <>
            {pages[0]?.refusal ? <OwnOnly mount={mount} folder={folder} /> : null}
            <Paged {...list} rows={rows} query={query} noun="item" />
          </>
        );
      }}
    </Loaded>
  );
}

function OwnOnly({ mount, folder }: { mount: string; folder: string }) {
  return (
    <Notice tone="info">
      <p>
        You may not list this folder. Below are the names that your policies spell out. What they allow by a
        pattern is found by a part of its name, here or with Ctrl K.
      </p>
      <MissingRights
        rights={[{ path: [mount, 'metadata', folder].filter(Boolean).join('/'), capability: 'list' }]}
      />
    </Notice>
  );
}

function Findings({ text, clear, ...list }: List & { text: string; clear: () => void }) {
  const { base } = list;
  const query = useInfiniteQuery(findingQuery(base, text));
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = pages.flatMap(({ secrets }) =>
          secrets.map(({ mount, secret_name: name, info }): Row => {
            const path = `${mount}/${name}`;
            return { name: path.slice(base.length + 1), path, info };
          }),
        );
        if (rows.length === 0 && !query.hasNextPage)
          return <Empty title="No name matches" action={<Button onClick={clear}>Clear the filter</Button>} />;
        return <Paged {...list} rows={rows} query={query} noun="secret" />;
      }}
    </Loaded>
  );
}

function Paged({
  mount,
  selection,
  rows,
  query,
  noun,
}: List & {
  rows: Row[];
  query: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  noun: string;
}) {
  return (
    <>
      <TickAll secrets={secretsOf(mount, rows)} noun="secret" selection={selection} />
      <SecretTable key={rows[0]?.path} mount={mount} rows={rows} selection={selection} />
      <div className={`${kit.row} ${kit.spread}`}>
        <span className={kit.muted} role="status">
          {query.hasNextPage
            ? `The first ${rows.length.toLocaleString('en')}. There are more.`
            : counted(rows.length, noun)}
        </span>
        <LoadMore query={query} />
      </div>
    </>
  );
}

// A folder is no secret.
function secretsOf(mount: string, rows: Row[]): SecretRef[] {
  return rows
    .filter(({ name }) => !name.endsWith('/'))
    .map(({ path }) => ({ mount, secret_name: path.slice(mount.length + 1) }));
}
