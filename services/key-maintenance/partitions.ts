import pRetry from 'p-retry';
import type { Change } from '../../libs/db/in-batches.ts';
import { isSqlState, LOCK_NOT_AVAILABLE } from '../../libs/db/sql-state.ts';
import {
  dropPartition,
  findOldPartitions,
  findPartitions,
  isPartitionDue,
  startPartition,
  type PartitionedTable,
} from '../../libs/store/maintenance/partitions.ts';
import type { JobRun } from './job.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
// What grows fast is kept in so many partitions, and stays longer by one of them at most. Each costs a list one look-up.
const PARTITIONS = 10;
const LONGEST_SPAN_DAYS = 365;
const RETRIES = 20;
const PAUSE_MS = 500;

/**
 * Starts a partition if one is due, and drops those that are old as a whole. `days`: how long rows are kept, 0 for ever.
 * Returns how many it dropped, and the time before which single rows must still be deleted: in a closed partition they
 * stay until all of them are old, unless it spans more than its share.
 */
export async function keepPartitions(
  { services: { db }, now, change }: Pick<JobRun, 'services' | 'now' | 'change'>,
  table: PartitionedTable,
  days: number,
): Promise<{ dropped: number; restBefore: Date }> {
  const spanMs = Math.max(1, (days || LONGEST_SPAN_DAYS * PARTITIONS) / PARTITIONS) * DAY_MS;
  const before = new Date(now.getTime() - days * DAY_MS);
  if (await isPartitionDue(db, table, { now, spanMs }))
    await patiently(change, (transaction) => startPartition(transaction, table));
  const old = days === 0 ? [] : await findOldPartitions(db, table, before);
  for (const name of old) await patiently(change, (transaction) => dropPartition(transaction, name));
  const { closed } = await findPartitions(db, table);
  return {
    dropped: old.length,
    restBefore: closed.length > 0 ? new Date(before.getTime() - spanMs) : before,
  };
}

// Each attempt keeps writers waiting for a moment only, so a table in use needs several.
async function patiently(
  change: Change,
  work: (transaction: Parameters<Parameters<Change>[0]>[0]) => Promise<void>,
): Promise<void> {
  await pRetry(
    () =>
      change(async (transaction) => {
        await work(transaction);
        return 1;
      }),
    {
      retries: RETRIES,
      minTimeout: PAUSE_MS,
      factor: 1,
      shouldRetry: ({ error }) => isSqlState(error, LOCK_NOT_AVAILABLE),
    },
  );
}
