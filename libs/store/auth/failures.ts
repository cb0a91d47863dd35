import { fingerprint } from '../../crypto/fingerprint.ts';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** After `most` failures within so many seconds, log-ins are refused for so many seconds. `name`: whose failures. */
export type FailureLimit = { name: string; most: number; seconds: number };

const BLOCKED = `
SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM log_in_failures
WHERE key = ? AND failures >= ? AND expires_at > now()`;

// The failure that reaches the limit begins the time anew: from then on everything is refused.
const COUNT = `
INSERT INTO log_in_failures AS f (key, failures, expires_at) VALUES (:key, 1, now() + :seconds * interval '1 second')
ON CONFLICT (key) DO UPDATE SET
  failures = CASE WHEN f.expires_at > now() THEN f.failures + 1 ELSE 1 END,
  expires_at = CASE WHEN f.expires_at > now() AND f.failures + 1 < :most THEN f.expires_at ELSE excluded.expires_at END`;

/** For how many more seconds log-ins are refused; 0: they are not. */
export async function findBlock(db: Database, hashKey: Buffer, limit: FailureLimit): Promise<number> {
  const [row] = await prepared<{ seconds: number }>(db, BLOCKED, [keyOf(hashKey, limit), limit.most]);
  return row?.seconds ?? 0;
}

/** Counts a failed log-in. */
export async function countFailure(db: Database, hashKey: Buffer, limit: FailureLimit): Promise<void> {
  const { most, seconds } = limit;
  await prepared(db, COUNT, { key: keyOf(hashKey, limit), most, seconds });
}

function keyOf(hashKey: Buffer, { name }: FailureLimit): Buffer {
  return fingerprint(hashKey, 'log-in failures', name);
}

/** Forgets failures, after a success. */
export async function forgetFailures(db: Database, hashKey: Buffer, limit: FailureLimit): Promise<void> {
  await db('log_in_failures')
    .where({ key: keyOf(hashKey, limit) })
    .delete();
}
