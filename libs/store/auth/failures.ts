import { fingerprint } from '../../crypto/fingerprint.ts';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** After `most` failures within so many seconds, log-ins are refused for so many seconds. `name`: whose failures. */
export type FailureLimit = { name: string; most: number; seconds: number };

/** How a log-in ended. `forgiven`: it succeeded, and the failures before it are forgotten; `uncounted`: as if it had not been. */
export type LogInOutcome = 'failed' | 'forgiven' | 'uncounted';

// Longer than a log-in takes. Those of a process that ended before them count no longer than this.
const LONGEST_LOG_IN_SECONDS = 60;

const FAILED = 'CASE WHEN f.expires_at > now() THEN f.failures ELSE 0 END';
const OPEN = 'CASE WHEN f.open_until > now() THEN f.open ELSE 0 END';

// The time runs from the first failure.
const BEGIN = `
INSERT INTO log_in_failures AS f (key, failures, expires_at, open, open_until)
VALUES (:key, 0, now() + :seconds * interval '1 second', 1, now() + :longest * interval '1 second')
ON CONFLICT (key) DO UPDATE SET
  failures = ${FAILED},
  expires_at = CASE WHEN ${FAILED} > 0 THEN f.expires_at ELSE excluded.expires_at END,
  open = ${OPEN} + 1,
  open_until = excluded.open_until
WHERE ${FAILED} + ${OPEN} < :most
RETURNING key`;

const BLOCKED = `
SELECT extract(epoch FROM expires_at - now())::float8 AS seconds FROM log_in_failures
WHERE key = ? AND failures >= ? AND expires_at > now()`;

// The failure that reaches the limit begins the time anew: from then on everything is refused.
const FAIL = `
INSERT INTO log_in_failures AS f (key, failures, expires_at) VALUES (:key, 1, now() + :seconds * interval '1 second')
ON CONFLICT (key) DO UPDATE SET
  failures = ${FAILED} + 1,
  expires_at = CASE WHEN ${FAILED} BETWEEN 1 AND :most - 2 THEN f.expires_at ELSE excluded.expires_at END,
  open = greatest(${OPEN} - 1, 0)`;

const GIVE_BACK = `
UPDATE log_in_failures AS f
SET open = greatest(${OPEN} - 1, 0), failures = CASE WHEN :forgives THEN 0 ELSE f.failures END
WHERE key = :key`;

/**
 * Counts a log-in before it is evaluated, unless the limit is reached by failures and log-ins that are open. Then it returns
 * for how many more seconds log-ins are refused; 0: only until an open one has ended.
 */
export async function beginLogIn(
  db: Database,
  hashKey: Buffer,
  limit: FailureLimit,
): Promise<{ begun: true } | { begun: false; blockedSeconds: number }> {
  const { most, seconds } = limit;
  const key = keyOf(hashKey, limit);
  const begun = await prepared(db, BEGIN, { key, most, seconds, longest: LONGEST_LOG_IN_SECONDS });
  if (begun.length > 0) return { begun: true };
  const [row] = await prepared<{ seconds: number }>(db, BLOCKED, [key, most]);
  return { begun: false, blockedSeconds: row?.seconds ?? 0 };
}

/** Ends a log-in that has begun. */
export async function endLogIn(
  db: Database,
  hashKey: Buffer,
  { limit, outcome }: { limit: FailureLimit; outcome: LogInOutcome },
): Promise<void> {
  const { most, seconds } = limit;
  const key = keyOf(hashKey, limit);
  if (outcome === 'failed') await prepared(db, FAIL, { key, most, seconds });
  else await prepared(db, GIVE_BACK, { key, forgives: outcome === 'forgiven' });
}

function keyOf(hashKey: Buffer, { name }: FailureLimit): Buffer {
  return fingerprint(hashKey, 'log-in failures', name);
}
