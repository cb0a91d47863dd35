import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** How long requests of a client are counted together. */
export const WINDOW_MS = 1000;

// By Postgres' clock, which is one for all replicas: one whose own was ahead would close the others' windows until then.
const NOW_MS = '(extract(epoch FROM now()) * 1000)::bigint';

// A window that ends further away than this was begun before the clock was set back. More than one window: of two
// statements at the same moment the later one may have begun it.
const IS_OPEN = `c.expire > ${NOW_MS} AND c.expire <= ${NOW_MS} + ${2 * WINDOW_MS}`;

const COUNT = `
INSERT INTO rate_limits AS c (key, points, expire) VALUES (?, ?, ${NOW_MS} + ${WINDOW_MS})
ON CONFLICT (key) DO UPDATE SET
  points = excluded.points + CASE WHEN ${IS_OPEN} THEN c.points ELSE 0 END,
  expire = CASE WHEN ${IS_OPEN} THEN c.expire ELSE excluded.expire END
RETURNING points AS counted, expire - ${NOW_MS} AS "leftMs"`;

/** What a client has used up in its present window, over all replicas, and how long that window lasts still. */
export type Count = { counted: number; leftMs: number };

/** Counts requests of a client; its window begins with the first. */
export async function countRequests(db: Database, client: string, requests: number): Promise<Count> {
  const [count] = await prepared<Count>(db, COUNT, [`api:${client}`, requests]);
  if (!count) throw new Error('requests were not counted');
  return count;
}

/** Forgets clients that have not been seen for a minute. */
export async function deletePastCounts(db: Database): Promise<void> {
  await db('rate_limits').whereRaw(`expire < ${NOW_MS} - 60000`).delete();
}
