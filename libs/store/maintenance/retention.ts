import type { Database } from '../../db/connect.ts';
import { findOldIds } from './partitions.ts';

/**
 * Deletes at most `limit` expired or used-up tokens, each with the tokens below it. Returns how many were expired or used
 * up.
 */
export async function deleteExpiredTokens(
  transaction: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const expired = transaction('tokens')
    .where('expires_at', '<=', now)
    .orWhere({ uses_left: 0 })
    .orderBy('id')
    .limit(limit)
    .select('id');
  return transaction('tokens').whereIn('id', expired).delete();
}

/** Deletes expired login requests and used assertions, at most `limit` of each. */
export async function deleteExpiredSignOns(
  transaction: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const requests = transaction('saml_requests').where('expires_at', '<=', now).limit(limit).select('id');
  const assertions = transaction('saml_assertions')
    .where('expires_at', '<=', now)
    .limit(limit)
    .select('hash');
  const counts: number[] = [
    await transaction('saml_requests').whereIn('id', requests).delete(),
    await transaction('saml_assertions').whereIn('hash', assertions).delete(),
  ];
  return Math.max(...counts);
}

/** Deletes expired and used-up secret ids, and past failures of log-ins, at most `limit` of each. */
export async function deleteExpiredLogIns(
  transaction: Database,
  { now, limit }: { now: Date; limit: number },
): Promise<number> {
  const secretIds = transaction('secret_ids')
    .where('expires_at', '<=', now)
    .orWhere({ uses_left: 0 })
    .limit(limit)
    .select('accessor');
  const failures = transaction('log_in_failures').where('expires_at', '<=', now).limit(limit).select('key');
  const counts: number[] = [
    await transaction('secret_ids').whereIn('accessor', secretIds).delete(),
    await transaction('log_in_failures').whereIn('key', failures).delete(),
  ];
  return Math.max(...counts);
}

/** Deletes at most `limit` sync attempts from before a time, and the names of destinations that had no later ones. */
export async function deleteSyncHistory(
  transaction: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const ids = await findOldIds(transaction, 'sync_history', { before, limit });
  const deleted: number = await transaction('sync_history').whereRaw('id = ANY (?)', [ids]).delete();
  if (deleted < limit) await transaction('gone_destinations').where('gone_at', '<', before).delete();
  return deleted;
}

/** Destroys the data of at most `limit` versions that were deleted before a time; never of a live version. */
export async function destroyDeletedVersions(
  transaction: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  // The update repeats the condition: a version may be undeleted after the subquery read it.
  const { rows } = await transaction.raw<{ rows: unknown[] }>(
    `UPDATE secret_versions v SET sealed = NULL, destroyed = true
     FROM (
       SELECT secret_id, version FROM secret_versions
       WHERE deletion_time < ? AND NOT destroyed ORDER BY deletion_time LIMIT ?
     ) old
     WHERE v.secret_id = old.secret_id AND v.version = old.version AND v.deletion_time < ? AND NOT v.destroyed
     RETURNING 1`,
    [before, limit, before],
  );
  return rows.length;
}

/** How many rows of each kind are older than a time; each is counted up to `most`. */
export async function countOldData(
  db: Database,
  { before, auditBefore, most }: { before: Date; auditBefore: Date; most: number },
): Promise<{ audit: number; history: number; versions: number }> {
  // Entries of the audit trail and attempts arrive in order of time, so the oldest ones are the first ones.
  const { rows } = await db.raw<{ rows: { audit: number; history: number; versions: number }[] }>(
    `SELECT
       (SELECT count(*) FILTER (WHERE at < :auditBefore)
        FROM (SELECT at FROM audit_events ORDER BY id LIMIT :most) oldest)::int AS audit,
       (SELECT count(*) FILTER (WHERE at < :before)
        FROM (SELECT at FROM sync_history ORDER BY id LIMIT :most) oldest)::int AS history,
       (SELECT count(*) FROM (
          SELECT 1 FROM secret_versions WHERE deletion_time < :before AND NOT destroyed LIMIT :most
        ) old)::int AS versions`,
    { before, auditBefore, most },
  );
  return rows[0] ?? { audit: 0, history: 0, versions: 0 };
}
