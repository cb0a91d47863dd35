import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { untilEnded } from '../../api/polling.ts';
import { mountsQuery } from '../../api/queries.ts';
import { AUDIT } from '../../api/right.ts';
import { refusalOf } from '../../api/rights.ts';
import { FailureNotice } from '../../kit/failure-notice.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Skeleton } from '../../kit/page.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import { Guarded } from '../../kit/rights/guarded.tsx';
import { useIsOpen } from '../../kit/rights/lock.ts';
import { EventOutcome, Sentence } from '../audit/sentence.tsx';
import { SecretPage, storyRight } from '../secrets/secret-page.tsx';
import { splitPath, type SecretName } from '../secrets/split-path.ts';
import { ActivityFilters } from './activity-filters.tsx';
import { ActivityRow, ActivityTable, Doer, NothingFound } from './activity-table.tsx';
import { AttemptRow } from './attempt-row.tsx';
import { foldRetries, joinConfirmed, type Retries } from '../associations/folding.ts';
import type { ActivityFilter } from './filter.ts';
import { joinSaves, type ToldLine } from './saves.ts';
import { readStoryPage } from './story.ts';
import { WaitingLinks } from './waiting.tsx';

const route = getRouteApi('/activity/$');

/** What became of one secret: its versions, who read and changed it, and where it was written. */
export function SecretActivity() {
  const { _splat: full = '' } = route.useParams();
  const mounts = useQuery(mountsQuery);
  const secret = mounts.data && splitPath(mounts.data, full);
  return (
    <SecretPage full={full} secret={secret} actions={<TrailLink secret={full} />}>
      <Loaded query={mounts}>{() => <Allowed secret={secret ?? presumed(full)} />}</Loaded>
    </SecretPage>
  );
}

function TrailLink({ secret }: { secret: string }) {
  return (
    <Guarded right={AUDIT} label="Open in Audit">
      <Link to="/audit" search={{ secret }} className={kit.button}>
        Open in Audit
      </Link>
    </Guarded>
  );
}

// Whoever sees no mount, such as an auditor, still learns which rules are missing.
function presumed(full: string): SecretName {
  const [mount = '', ...path] = full.split('/');
  return { mount, path: path.join('/') };
}

// Whoever may read a value need not know who else reads it.
function Allowed({ secret }: { secret: SecretName }) {
  const right = storyRight(`${secret.mount}/${secret.path}`);
  const rights = [right, { path: `${secret.mount}/metadata/${secret.path}`, capability: 'read' }];
  const isOpen = useIsOpen({ rights });
  if (isOpen === undefined) return <Skeleton />;
  if (isOpen) return <Story secret={secret} />;
  const reason = 'The Activity tells who read and changed the secret, so it needs a right of its own';
  return <FailureNotice failure={refusalOf(rights, `${reason}: “read” on ${right.path}.`)} />;
}

function Story({ secret }: { secret: SecretName }) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const query = useInfiniteQuery({
    queryKey: ['story', secret.mount, secret.path, filter],
    queryFn: ({ pageParam }) => readStoryPage(secret, filter, pageParam),
    initialPageParam: '',
    getNextPageParam: ({ next_after: next }) => next,
    refetchInterval: (reading) =>
      untilEnded(
        reading,
        reading.state.data?.pages.flatMap(({ story }) =>
          story.flatMap((line) => ('outcome' in line ? [line] : [])),
        ),
      ),
  });
  const set = (change: ActivityFilter): void =>
    void navigate({ search: { ...filter, ...change }, replace: true });
  const clear = (): void => void navigate({ search: ({ ns }) => ({ ns }), replace: true });
  const lines = query.data?.pages.flatMap(({ story }) => story) ?? [];
  const rows = foldRetries(joinConfirmed(joinSaves(lines)), query.hasNextPage);
  return (
    <>
      <WaitingLinks secret={secret} />
      <ActivityFilters filter={filter} seen={lines.map(({ by }) => by)} set={set} hasReads />
      <Loaded query={query}>
        {() =>
          rows.length === 0 ? (
            <NothingFound filter={filter} clear={clear}>
              <Unknown />
            </NothingFound>
          ) : (
            <>
              <ActivityTable>
                {rows.map((row, index) => (
                  <Row key={`${row.at} ${index}`} row={row} secret={`${secret.mount}/${secret.path}`} />
                ))}
              </ActivityTable>
              <LoadMore query={query} />
            </>
          )
        }
      </Loaded>
    </>
  );
}

// A secret that exists has at least the line of its first version.
function Unknown() {
  return (
    <Empty title="Nothing is known about this secret">
      No secret has this name, or what happened to it is no longer kept. Check the name.
    </Empty>
  );
}

function Row({ row, secret }: { row: ToldLine | Retries; secret: string }) {
  if (row.kind === 'retries' || row.kind === 'push') return <AttemptRow of={row} />;
  const who = row.by === null ? '–' : <Doer name={row.by} />;
  if (row.kind === 'version')
    return (
      <ActivityRow
        at={row.at}
        who={who}
        address={'address' in row ? row.address : null}
        what={`Saved version ${row.version}`}
        outcome={<Saved version={row} />}
      />
    );
  return (
    <ActivityRow
      at={row.at}
      who={who}
      address={row.address}
      // The mount may have had another name then, and the page is about the secret.
      what={<Sentence event={{ ...row, secret }} />}
      outcome={<EventOutcome entry={row} />}
    />
  );
}

function Saved({ version }: { version: Extract<ToldLine, { kind: 'version' }> }) {
  const later = version.destroyed ? 'Destroyed since' : version.deleted_at ? 'Deleted since' : null;
  return (
    <>
      <EventOutcome entry={{ outcome: 'succeeded', at: version.at, status: null }} />
      {later ? <p className={`${kit.small} ${kit.muted}`}>{later}</p> : null}
    </>
  );
}
