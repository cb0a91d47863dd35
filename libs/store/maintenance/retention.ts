import type { Database } from '../../db/connect.ts';

/** Deletes expired and used-up tokens, at most `limit`, each with the tokens made with it; how many had expired. */
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

/** Deletes expired log-in requests and used assertions, at most `limit` of each. */
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

/** Deletes attempts of syncs from before a time, at most `limit`. */
export async function deleteSyncHistory(
  transaction: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const old = transaction('sync_history').where('at', '<', before).orderBy('at').limit(limit).select('id');
  return transaction('sync_history').whereIn('id', old).delete();
}

/** Destroys the data of versions that were deleted before a time, at most `limit`; a version that still lives is never one. */
export async function destroyDeletedVersions(
  transaction: Database,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  // The condition stands in the update too: a version may be undeleted while it is being looked for.
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
