import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { mayAskAgain, untilEnded } from '../../api/polling.ts';
import { AUDIT } from '../../api/right.ts';
import { mountsQuery } from '../../api/queries.ts';
import { useDestinationName } from '../../api/vendors.ts';
import { LoadMore } from '../../kit/pages.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import picking from '../../kit/picker/picker.module.css';
import { TimePresets, TimeRange } from '../../kit/picker/time-range.tsx';
import { useHasRights } from '../../kit/rights/allowed.ts';
import { Guarded } from '../../kit/rights/guarded.tsx';
import { Status, statusOfFailure } from '../../kit/status.tsx';
import { Table } from '../../kit/table.tsx';
import { Time } from '../../kit/time.tsx';
import { EntryName } from '../associations/entry-name.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import { actorText } from '../../../../../libs/telling/actor.ts';
import { attemptText, triggerText } from '../../../../../libs/telling/attempts.ts';
import { joinSaves, type ToldLine } from './saves.ts';
import { EventOutcome, Sentence } from './sentence.tsx';
import { readStoryPage, type StoryFilter, type StoryPage } from './story.ts';
import { WordFilter } from './word-filter.tsx';
import { splitPath, type SecretName } from '../secrets/split-path.ts';

const route = getRouteApi('/activity/$');

/** What became of one secret: its versions, who read and changed it, and where it was written. */
export function Activity() {
  const { _splat: path = '' } = route.useParams();
  const mounts = useQuery(mountsQuery);
  const secret = mounts.data && splitPath(mounts.data, path);
  return (
    <Page
      title={`Activity of ${path}`}
      rights={secret ? [{ path: `sys/story/${path}`, capability: 'read' }] : []}
      about="Versions, reads, changes and syncs, newest first."
      actions={
        <>
          <Guarded
            right={{ path: 'api/v2/admin/audit-events', capability: 'read' }}
            label="Filter and export"
          >
            <Link to="/audit" search={{ secret: path }} className={kit.button}>
              Filter and export
            </Link>
          </Guarded>
          <Link to="/secrets/$" params={{ _splat: path }} className={kit.button}>
            Open the secret
          </Link>
        </>
      }
    >
      <Loaded query={mounts}>
        {() => (secret ? <Story secret={secret} /> : <Empty title="Not found, or you don’t have access" />)}
      </Loaded>
    </Page>
  );
}

function Story({ secret }: { secret: SecretName }) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['story', secret.mount, secret.path, filter],
    queryFn: ({ pageParam }) => readStoryPage(secret, filter, pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next_after: next }) => next,
    refetchInterval: ({ state }) =>
      mayAskAgain(state) &&
      untilEnded(
        state.data?.pages.flatMap(({ story }) => story.flatMap((line) => ('outcome' in line ? [line] : []))),
      ),
  });
  const set = (change: StoryFilter): void =>
    void navigate({ search: { ...filter, ...change }, replace: true });
  const lines = query.data?.pages.flatMap(({ story }) => story) ?? [];
  return (
    <>
      <div className={`${kit.row} ${picking.filters}`} role="search">
        <TimePresets span={filter} set={set} />
        <WordFilter
          name="who"
          label="Who"
          value={filter.who ?? ''}
          seen={lines.map(({ by }) => by)}
          set={(who) => set({ who: who || undefined })}
        />
        <TimeRange span={filter} set={set} />
      </div>
      <Lines query={query} filter={filter} />
    </>
  );
}

// A secret that exists has at least the line of its first version.
function Nothing({ filter: { who, since, until } }: { filter: StoryFilter }) {
  if (who !== undefined) return <Empty title={`Nothing found by “${who}”`} />;
  if (since !== undefined || until !== undefined) return <Empty title="Nothing happened in this time" />;
  return (
    <Empty title="Nothing is known about this secret">
      No secret has this name, or what happened to it is no longer kept. Check the name.
    </Empty>
  );
}

function Lines({
  query,
  filter,
}: {
  query: UseInfiniteQueryResult<InfiniteData<StoryPage>>;
  filter: StoryFilter;
}) {
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          {pages[0]?.story.length === 0 ? (
            <Nothing filter={filter} />
          ) : (
            <Table columns={['When', 'Who', 'What', 'Outcome']}>
              {joinSaves(pages.flatMap(({ story }) => story)).map((line, index) => (
                <Line key={`${line.at} ${index}`} line={line} />
              ))}
            </Table>
          )}
          <LoadMore query={query} />
        </>
      )}
    </Loaded>
  );
}

function Line({ line }: { line: ToldLine }) {
  return (
    <tr>
      <td>
        <Time at={line.at} />
      </td>
      <td>
        <By line={line} />
        {'address' in line && line.address ? (
          <p className={`${kit.small} ${kit.muted}`}>{line.address}</p>
        ) : null}
      </td>
      <td>
        <What line={line} />
      </td>
      <td>
        <Outcome line={line} />
      </td>
    </tr>
  );
}

// Nobody causes an automatic retry, and the reader asks why it was made.
function By({ line }: { line: ToldLine }) {
  if (line.by !== null) return <Doer name={line.by} />;
  if (line.kind !== 'push' || line.trigger === null) return '–';
  return <span className={kit.muted}>{triggerText(line.trigger)}</span>;
}

// Leads to all that somebody did, in the trail: whoever may not read it has the name alone.
function Doer({ name }: { name: string }) {
  const mayRead = useHasRights([AUDIT]);
  if (!mayRead) return actorText(name);
  return (
    <Link to="/audit" search={{ who: name }}>
      {actorText(name)}
    </Link>
  );
}

function What({ line }: { line: ToldLine }) {
  const { _splat: secret = '' } = route.useParams();
  if (line.kind === 'version') return <>Saved version {line.version}</>;
  // The mount may have had another name then, and the page is about the secret.
  if (line.kind !== 'push') return <Sentence event={{ ...line, secret }} />;
  const { destination, version } = line;
  return (
    <>
      {attemptText(line)} {line.sub_key ? <strong>{line.sub_key}</strong> : 'the entry'}{' '}
      {version === null ? '' : `(version ${version}) `}
      {destination ? (
        <>
          in <StoreLink destination={destination} />
        </>
      ) : (
        'in a deleted destination'
      )}
      <EntryName name={line.external_name} />
    </>
  );
}

function StoreLink({ destination }: { destination: { type: string; name: string } }) {
  const nameOf = useDestinationName();
  return (
    <Link to="/destinations/$type/$name" params={destination} search={{}}>
      {nameOf(destination.type, destination.name)}
    </Link>
  );
}

function Outcome({ line }: { line: ToldLine }) {
  if (line.kind === 'version')
    return <>{line.destroyed ? 'Destroyed since' : line.deleted_at ? 'Deleted since' : ''}</>;
  if (line.kind !== 'push') return <EventOutcome entry={line} />;
  return (
    <>
      <Status status={statusOfFailure(line.outcome, line.cause)} />
      <CauseText cause={line.cause} />
    </>
  );
}
