import type { JWK } from '../../crypto/signing-key.ts';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** Where the keys of an issuer are: a discovery document or a key set; `ca`: certificates to trust instead of the usual ones. */
export type KeySource = { discoveryUrl: string; ca: string } | { keySetUrl: string; ca: string };

/** `issuer`: the one that the discovery document names. */
export type KeySet = { issuer: string | null; keys: JWK[] };

/** A key set as it was fetched or given; `isOld`: it was fetched too long ago to be believed. `fault`: why the last try failed. */
export type StoredKeySet = KeySet & { fetched_at: Date; isOld: boolean; fault: string | null };

/** Undefined if there is none. */
export async function findKeySet(db: Database, mountId: number): Promise<StoredKeySet | undefined> {
  const [found] = await prepared<StoredKeySet>(
    db,
    `SELECT issuer, keys, fetched_at, fault,
       source IS NOT NULL AND fetched_at < now() - interval '24 hours' AS "isOld"
     FROM auth_key_sets WHERE mount_id = ?`,
    [mountId],
  );
  return found;
}

/** Replaces the key set of an auth method whose source has changed. */
export async function replaceKeySet(
  transaction: Database,
  mountId: number,
  { source, issuer, keys }: KeySet & { source: KeySource | null },
): Promise<void> {
  const row = {
    source: source && JSON.stringify(source),
    issuer,
    keys: JSON.stringify(keys),
    fetched_at: transaction.fn.now(),
    tried_at: transaction.fn.now(),
    fault: null,
  };
  await transaction('auth_key_sets')
    .insert({ mount_id: mountId, ...row })
    .onConflict('mount_id')
    .merge(row);
}

/** What there is to fetch: the sources of all auth methods that have one. */
export async function listKeySources(db: Database): Promise<{ mountId: number; source: KeySource }[]> {
  return db('auth_key_sets')
    .whereNotNull('source')
    .orderBy('mount_id')
    .select({ mountId: 'mount_id', source: 'source' });
}

/**
 * Takes the turn to fetch the key set of an auth method; nobody else has one for 30 seconds. Undefined: it is not the
 * caller's turn, or there is nothing to fetch.
 */
export async function takeFetch(db: Database, mountId: number): Promise<KeySource | undefined> {
  const rows: { source: KeySource }[] = await db('auth_key_sets')
    .where({ mount_id: mountId })
    .whereNotNull('source')
    .whereRaw("tried_at < now() - interval '30 seconds'")
    .update({ tried_at: db.fn.now() })
    .returning('source');
  return rows[0]?.source;
}

/** Stores what came of a fetch, unless the source has changed meanwhile. Returns 1 if the keys are others than before. */
export async function storeFetched(
  db: Database,
  { mountId, source }: { mountId: number; source: KeySource },
  { issuer, keys }: KeySet,
): Promise<number> {
  const { rows } = await db.raw<{ rows: { changed: boolean }[] }>(
    `UPDATE auth_key_sets s SET issuer = ?, keys = ?::jsonb, fetched_at = now(), fault = NULL
     FROM auth_key_sets before
     WHERE s.mount_id = ? AND before.mount_id = s.mount_id AND s.source = ?::jsonb
     RETURNING (before.keys, before.issuer) IS DISTINCT FROM (s.keys, s.issuer) AS changed`,
    [issuer, JSON.stringify(keys), mountId, JSON.stringify(source)],
  );
  return rows[0]?.changed ? 1 : 0;
}

/** Stores why a fetch failed. The keys stay. */
export async function noteFetchFault(db: Database, mountId: number, fault: string): Promise<void> {
  await db('auth_key_sets').where({ mount_id: mountId }).update({ fault });
}
