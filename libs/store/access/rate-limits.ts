import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** The window in which requests of a client are counted together. */
export const WINDOW_MS = 1000;

// Postgres' clock is the same for all replicas. With local clocks, a replica whose clock is ahead would close the windows
// of the others.
const NOW_MS = '(extract(epoch FROM now()) * 1000)::bigint';

// A window that ends later than this began before the clock was set back. The bound is two windows: of two statements at
// the same moment, the later one may have begun the window.
const IS_OPEN = `c.expire > ${NOW_MS} AND c.expire <= ${NOW_MS} + ${2 * WINDOW_MS}`;

const COUNT = `
INSERT INTO rate_limits AS c (key, points, expire) VALUES (?, ?, ${NOW_MS} + ${WINDOW_MS})
ON CONFLICT (key) DO UPDATE SET
  points = excluded.points + CASE WHEN ${IS_OPEN} THEN c.points ELSE 0 END,
  expire = CASE WHEN ${IS_OPEN} THEN c.expire ELSE excluded.expire END
RETURNING points AS counted, expire - ${NOW_MS} AS "leftMs"`;

/** The requests of a client in its present window, over all replicas, and the time left of that window. */
export type RequestCount = { counted: number; leftMs: number };

/** Counts requests of a client. The first request begins the window. */
export async function countRequests(db: Database, client: string, requests: number): Promise<RequestCount> {
  const [count] = await prepared<RequestCount>(db, COUNT, [`api:${client}`, requests]);
  if (!count) throw new Error('requests were not counted');
  return count;
}

/** Deletes clients that were not seen for a minute. */
export async function deletePastCounts(db: Database): Promise<void> {
  await db('rate_limits').whereRaw(`expire < ${NOW_MS} - 60000`).delete();
}
