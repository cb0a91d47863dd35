import type { Database } from '../db/connect.ts';
import { prepared } from '../db/prepared.ts';
import type { PartitionedTable } from './maintenance/partitions.ts';

// Ids grow with time, but rows that are written at once, or by a job for its own time, may be out of order.
const DISORDER = "interval '1 hour'";

/**
 * The ids that a span of time leaves: from `lowest`, up to but without `end`. Rows near its ends may lie outside of the span.
 * Times are RFC 3339; absent: open.
 */
export async function idBoundsOf(
  db: Database,
  table: PartitionedTable,
  { since, until }: { since?: string | undefined; until?: string | undefined },
): Promise<{ lowest: number; end: number }> {
  const [row] = await prepared<{ lowest: number | null; highest: number | null }>(
    db,
    `SELECT min(id) AS lowest, max(id) AS highest FROM ${table}`,
    [],
  );
  const { lowest, highest } = row ?? {};
  if (!lowest || !highest) return { lowest: 0, end: 0 };
  const ids = { low: lowest, high: highest + 1 };
  const firstIdAt = (time: string, value: string) => findFirstId(db, { table, ...ids, time, value });
  return {
    lowest: since ? await firstIdAt(`?::timestamptz - ${DISORDER}`, since) : ids.low,
    end: until ? await firstIdAt(`?::timestamptz + ${DISORDER}`, until) : ids.high,
  };
}

type Wanted = { table: PartitionedTable; low: number; high: number; time: string; value: string };

// The first id at a time, by halving the ids: some twenty look-ups of one row each, in one statement.
async function findFirstId(db: Database, { table, low, high, time, value }: Wanted): Promise<number> {
  const [row] = await prepared<{ id: number }>(
    db,
    `WITH RECURSIVE wanted AS (SELECT ${time} AS at),
     halves (low, high) AS (
       SELECT ?::bigint, ?::bigint
       UNION ALL
       SELECT CASE WHEN is_before THEN middle + 1 ELSE low END, CASE WHEN is_before THEN high ELSE middle END
       FROM (
         SELECT h.low, h.high, (h.low + h.high) / 2 AS middle, coalesce((
           SELECT e.at FROM ${table} e WHERE e.id >= (h.low + h.high) / 2 ORDER BY e.id LIMIT 1
         ) < (SELECT at FROM wanted), false) AS is_before
         FROM halves h WHERE h.low < h.high
       ) step)
     SELECT low AS id FROM halves WHERE low = high`,
    [value, low, high],
  );
  return row?.id ?? low;
}
