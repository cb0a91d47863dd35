import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { StoryAnswer, StoryLineAnswer } from '../../../../api/contract/story.ts';
import { pathOf, read } from '../../api/client.ts';
import { mountsQuery } from '../../api/queries.ts';
import { LoadMore } from '../../kit/pages.tsx';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded, Page } from '../../kit/page.tsx';
import { Status } from '../../kit/status.tsx';
import { Table } from '../../kit/table.tsx';
import { describeTime, Time } from '../../kit/time.tsx';
import { CauseText } from '../problems/cause-text.tsx';
import { splitPath, type SecretName } from '../secrets/split-path.ts';

const route = getRouteApi('/activity/$');

const WORDS = {
  read: 'Read',
  reveal: 'Revealed a value',
  link: 'Linked',
  unlink: 'Unlinked',
  change: 'Changed',
} as const;

/** What became of one secret: its versions, who read and changed it, and where it was written. */
export function Activity() {
  const { _splat: path = '' } = route.useParams();
  return (
    <Page
      title={`Activity of ${path}`}
      about="Versions, reads, changes and syncs, newest first."
      actions={
        <Link to="/secrets/$" params={{ _splat: path }} className={kit.button}>
          Open the secret
        </Link>
      }
    >
      <Loaded query={useQuery(mountsQuery)}>
        {(mounts) => {
          const secret = splitPath(mounts, path);
          return secret ? <Story secret={secret} /> : <Empty title="Not found, or you don’t have access" />;
        }}
      </Loaded>
    </Page>
  );
}

function Story({ secret }: { secret: SecretName }) {
  const query = useInfiniteQuery({
    queryKey: ['story', secret.mount, secret.path],
    queryFn: ({ pageParam }) => {
      const after = pageParam === '' ? '' : `?after=${encodeURIComponent(pageParam)}`;
      return read<StoryAnswer>(`sys/story/${pathOf(secret.mount, secret.path)}${after}`);
    },
    initialPageParam: '',
    getNextPageParam: ({ next_after: next }) => next,
  });
  return (
    <Loaded query={query}>
      {({ pages }) => (
        <>
          <Table columns={['When', 'Who', 'What', 'Outcome']}>
            {pages
              .flatMap(({ story }) => story)
              .map((line, index) => (
                <Line key={`${line.at} ${index}`} line={line} />
              ))}
          </Table>
          <LoadMore query={query} />
        </>
      )}
    </Loaded>
  );
}

function Line({ line }: { line: StoryLineAnswer }) {
  return (
    <tr>
      <td>
        {describeTime(line.at)}
        <p className={`${kit.small} ${kit.muted}`}>
          <Time at={line.at} />
        </p>
      </td>
      <td>
        {line.by ?? '–'}
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

function What({ line }: { line: StoryLineAnswer }) {
  if (line.kind === 'version') return <>Saved version {line.version}</>;
  if (line.kind !== 'push')
    return (
      <>
        {WORDS[line.kind]} <code className={kit.small}>{line.path}</code>
      </>
    );
  const { destination, action, version } = line;
  return (
    <>
      {action} {version === null ? '' : `v${version}`}{' '}
      {destination ? (
        <Link to="/destinations/$type/$name" params={destination} search={{}}>
          {destination.type}/{destination.name}
        </Link>
      ) : (
        'at a deleted destination'
      )}
    </>
  );
}

function Outcome({ line }: { line: StoryLineAnswer }) {
  if (line.kind === 'version')
    return <>{line.destroyed ? 'destroyed since' : line.deleted_at ? 'deleted since' : ''}</>;
  if (line.kind !== 'push') return <>{[line.outcome, line.status].filter(Boolean).join(' ')}</>;
  return (
    <>
      <Status status={line.outcome} />
      <CauseText cause={line.cause} />
    </>
  );
}
