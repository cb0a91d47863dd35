import { Empty, Loaded } from '../../kit/page.tsx';
import { LoadMore } from '../../kit/pages.tsx';
import { foldRetries, joinConfirmed, type Retries } from '../associations/folding.ts';
import { ActivityTable, NothingFound } from './activity-table.tsx';
import { AttemptRow } from './attempt-row.tsx';
import type { AttemptPages, DestinationAttempt } from './destination-attempts.ts';
import type { ActivityFilter } from './filter.ts';

/** The table of attempts, or that there are none; the retries of an outage are one line. */
export function Attempts({
  query,
  filter,
  clear,
}: {
  query: AttemptPages;
  filter: ActivityFilter;
  clear: () => void;
}) {
  return (
    <Loaded query={query}>
      {({ pages }) => {
        const rows = foldRetries(joinConfirmed(pages.flatMap(({ lines }) => lines)), query.hasNextPage);
        if (rows.length === 0)
          return (
            <NothingFound filter={filter} clear={clear} noun="attempt" elsewhere={elsewhere(filter)}>
              <Empty title="No attempts recorded">
                Nothing was written to this store, or it was so long ago that it is no longer kept.
              </Empty>
            </NothingFound>
          );
        return (
          <>
            <ActivityTable>
              {rows.map((row) => (
                <AttemptRow key={keyOf(row)} of={row} />
              ))}
            </ActivityTable>
            <LoadMore query={query} />
          </>
        );
      }}
    </Loaded>
  );
}

function keyOf(row: DestinationAttempt | Retries<DestinationAttempt>): number | undefined {
  return row.kind === 'retries' ? row.attempts[0]?.id : row.id;
}

function elsewhere({ outcome }: ActivityFilter): string | undefined {
  return outcome === 'refused' ? 'What a store refuses has the outcome “Failed”.' : undefined;
}
