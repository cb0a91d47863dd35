import {
  useInfiniteQuery,
  useQuery,
  type InfiniteData,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type {
  DestinationEventAnswer,
  DestinationHistoryAnswer,
} from '../../../../api/contract/destinations.ts';
import { linkPhrase } from '../../../../../libs/telling/link-phrase.ts';
import { endOf } from '../../../../../libs/telling/outcome.ts';
import { pastOf } from '../../../../../libs/telling/sentence.ts';
import { fieldNamer } from '../../../../../libs/telling/field-names.ts';
import { untilEnded } from '../../api/polling.ts';
import { destinationPath, schemasQuery } from '../../api/queries.ts';
import { readAllowed } from '../../api/rights.ts';
import kit from '../../kit/kit.module.css';
import { Empty, Loaded } from '../../kit/page.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import { spanFaults } from '../../kit/picker/span.ts';
import { PathText } from '../../kit/text/path-text.tsx';
import { describeTime } from '../../kit/time.tsx';
import { ActivityRow, ActivityTable, Doer, NothingFound } from '../activity/activity-table.tsx';
import { activityQuery, type ActivityFilter } from '../activity/filter.ts';
import { SecretNames, type GroupedNames } from '../audit/secret-names.tsx';
import { EventOutcome } from '../audit/sentence.tsx';

type Destination = { type: string; name: string };
type Query = UseInfiniteQueryResult<InfiniteData<DestinationHistoryAnswer>>;

const SIZE = 100;

/** Who changed a destination or what is linked to it, newest first. */
export function useChanges({ type, name }: Destination, filter: ActivityFilter): Query {
  return useInfiniteQuery({
    queryKey: ['destination-history', type, name, filter],
    queryFn: async ({ pageParam: before }) => {
      if (spanFaults(filter).title) return { store_type: type, store_name: name, history: [] };
      const page = { limit: String(SIZE), ...(before === null ? {} : { before: String(before) }) };
      const path = `${destinationPath(type, name)}/history?${activityQuery(filter, page)}`;
      return readAllowed<DestinationHistoryAnswer>(path, { background: true });
    },
    initialPageParam: null as number | null,
    getNextPageParam: ({ history }) => (history.length < SIZE ? null : (history.at(-1)?.id ?? null)),
    refetchInterval: (query) =>
      untilEnded(
        query,
        query.state.data?.pages.flatMap(({ history }) => history),
      ),
  });
}

const WORDS: Record<string, [done: string, tried: string]> = {
  replace: ['Changed the destination', 'create or replace the destination'],
  change: ['Changed the destination', 'change the destination'],
  delete: ['Deleted the destination', 'delete the destination'],
  link: ['Linked', 'link'],
  unlink: ['Asked to unlink', 'unlink'],
  retry: ['Asked to retry', 'retry'],
  withdraw: ['Withdrew what was asked for', 'withdraw what was asked for'],
  pause: ['Paused', 'pause'],
  resume: ['Resumed', 'resume'],
  pause_all: ['Paused syncing to all destinations', 'pause syncing to all destinations'],
  resume_all: ['Resumed syncing to all destinations', 'resume syncing to all destinations'],
};

/** The table of changes, or that there are none. */
export function Changes({
  destination: { type, name },
  query,
  filter,
  clear,
}: {
  destination: Destination;
  query: Query;
  filter: ActivityFilter;
  clear: () => void;
}) {
  const { data: forms } = useQuery(schemasQuery);
  const nameOf = fieldNamer({ action: '', path: `sys/sync/destinations/${type}/${name}` }, forms);
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const lines = pages.flatMap(({ history }) => history);
        if (lines.length === 0)
          return (
            <NothingFound filter={filter} clear={clear}>
              <Empty title="No changes recorded">The audit trail is kept for a limited time.</Empty>
            </NothingFound>
          );
        return (
          <>
            <ActivityTable>
              {lines.map((line) => (
                <ActivityRow
                  key={line.id}
                  at={line.at}
                  who={<Doer name={line.actor} />}
                  address={line.address}
                  what={
                    <>
                      {wordOf(line)} <Detail detail={line.detail} nameOf={nameOf} />
                    </>
                  }
                  outcome={<EventOutcome entry={line} />}
                />
              ))}
            </ActivityTable>
            <LoadMore query={query} />
          </>
        );
      }}
    </Loaded>
  );
}

// One request links a secret, decides about the entry of a link, and syncs it again.
function wordOf({ action, outcome, detail }: DestinationEventAnswer): string {
  const end = endOf(outcome, detail);
  const [done, word] = WORDS[action] ?? [action, action];
  const phrase =
    action === 'link' ? linkPhrase(detail, end) : isOverwriting(action, detail) ? OVERWRITE : undefined;
  // The page is about the destination, and the secret follows.
  const [demand] = phrase?.replace(/ (?:in|to) :destination/, '').split(' :') ?? [];
  const attempt = demand?.replace('ask to ', '') ?? word;
  if (end === 'attempted') return `Began to ${attempt}`;
  if (end !== 'succeeded') return `Tried to ${attempt}`;
  if (demand) return demand.replace(/^\w+/, pastOf);
  if (detail?.['change'] === 'created') return 'Created the destination';
  if (detail?.['way'] === 'purge') return 'Asked to delete the destination and its entries in the store';
  return done;
}

const OVERWRITE = 'ask to overwrite changed entries';

function isOverwriting(action: string, detail: DestinationEventAnswer['detail']): boolean {
  const { conflict_policy: decision } = (detail?.['filter'] ?? {}) as Record<string, unknown>;
  return action === 'retry' && decision === 'overwrite';
}

function Detail({
  detail,
  nameOf,
}: {
  detail: DestinationEventAnswer['detail'];
  nameOf: (field: string) => string;
}) {
  const { changed, secret, secrets, change, reason, refusal, until } = detail ?? {};
  const fields = change === 'updated' ? Object.keys(changed ?? {}).map(nameOf) : [];
  const texts = [
    ...(typeof reason === 'string' && reason !== '' ? [`“${reason}”`] : []),
    ...(typeof until === 'string' ? [`until ${describeTime(until)}`] : []),
    ...fields,
    ...(change === 'none' ? ['nothing changed'] : []),
    ...(refusal ? [refusal as string] : []),
    ...countsOf(detail ?? {}),
  ];
  return (
    <>
      {typeof secret === 'string' ? (
        <Link to="/secrets/$" params={{ _splat: secret }}>
          <PathText path={secret} />
        </Link>
      ) : null}{' '}
      {texts.length > 0 ? <span className={kit.muted}>({texts.join(', ')})</span> : null}
      {typeof secrets === 'object' && secrets !== null ? (
        <SecretNames secrets={secrets as GroupedNames} />
      ) : null}
    </>
  );
}

// What the words before tell is not counted again: `linked`, `refreshed`, and what was refused as a whole.
function countsOf(detail: Record<string, unknown>): string[] {
  if (typeof detail['secret'] === 'string' || endOf('succeeded', detail) === 'refused') return [];
  const { linked: _linked, refreshed: _refreshed, ...counts } = detail;
  return Object.entries(counts)
    .filter(([, count]) => typeof count === 'number')
    .map(([outcome, count]) => `${String(count)} ${outcome.replace('_', ' ')}`);
}
