import { useInfiniteQuery, type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query';
import type {
  DestinationAttemptAnswer,
  DestinationAttemptsAnswer,
} from '../../../../api/contract/associations.ts';
import { destinationPath } from '../../api/queries.ts';
import { readAllowed } from '../../api/rights.ts';
import { spanFaults } from '../../kit/picker/span.ts';
import { attemptOf } from '../associations/attempts.ts';
import type { SecretPush } from '../associations/folding.ts';
import { activityQuery, type ActivityFilter } from './filter.ts';

type Destination = { type: string; name: string };
/** An attempt of which the page of its destination tells. */
export type DestinationAttempt = SecretPush & { id: number };
type Page = { lines: DestinationAttempt[]; next: number | null };
/** Pages of the attempts at a destination. */
export type AttemptPages = UseInfiniteQueryResult<InfiniteData<Page>>;

// The changes of people stand below.
const SIZE = '25';

/** What was written to a destination, newest first. */
export function useDestinationAttempts(destination: Destination, filter: ActivityFilter): AttemptPages {
  return useInfiniteQuery({
    queryKey: ['destination-attempts', destination, filter],
    queryFn: ({ pageParam }) => readPage(destination, filter, pageParam),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
}

// A look at the attempts has a limit, so it may take several until one matches.
async function readPage(
  destination: Destination,
  filter: ActivityFilter,
  before: number | null,
): Promise<Page> {
  let page: Page = { lines: [], next: before };
  if (spanFaults(filter).title) return { lines: [], next: null };
  do {
    const cursor: Record<string, string> = page.next === null ? {} : { before: String(page.next) };
    const query = activityQuery(filter, { limit: SIZE, ...cursor });
    const path = `${destinationPath(destination.type, destination.name)}/attempts?${query}`;
    const { attempts, next_before: next } = await readAllowed<DestinationAttemptsAnswer>(path, {
      background: true,
    });
    page = { lines: attempts.map((attempt) => lineOf(attempt, destination)), next };
  } while (page.lines.length === 0 && page.next !== null);
  return page;
}

function lineOf(
  { mount, secret_name: path, ...attempt }: DestinationAttemptAnswer,
  destination: Destination,
): DestinationAttempt {
  return { ...attemptOf(attempt, destination), secret: { mount, path } };
}
