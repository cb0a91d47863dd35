import { seal } from '../../crypto/seal.ts';
import type { Keyring } from '../../crypto/keyring.ts';
import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { badRequest } from '../../errors/request-error.ts';
import { KEPT_VERSIONS } from './kept-versions.ts';
import { lockSecret, type SecretKey, type SecretVersion } from './secrets.ts';
import { findVersion, versionIdentity, type StoredVersion } from './read.ts';

/** `json` is the text of the data; `cas` is the version that must be current, 0: no version may exist. */
export type NewVersion = { json: string; cas: number | undefined; createdBy: string };

export type WrittenVersion = SecretVersion & {
  custom_metadata: Record<string, string> | null;
  /** Of the secret, once the version is written. */
  oldest_version: number;
};

type Bumped = {
  id: number;
  current_version: number;
  oldest_version: number;
  cas_required: boolean;
  delete_version_after_seconds: number;
  custom_metadata: Record<string, string> | null;
};

/**
 * Adds a version and deletes those beyond the limit, in the caller's transaction. Throws 400 if check-and-set forbids it;
 * the caller must then roll back, and nothing is changed.
 */
export async function addVersion(
  transaction: Database,
  keyring: Keyring,
  key: SecretKey,
  version: NewVersion,
): Promise<WrittenVersion> {
  const secret = await bump(transaction, key, version.createdBy);
  checkAndSet(key.mount.cas_required || secret.cas_required, version.cas, secret.current_version - 1);
  const sealed = seal(keyring, version.json, versionIdentity(secret.id, secret.current_version));
  const lifetime = versionLifetime(
    key.mount.delete_version_after_seconds,
    secret.delete_version_after_seconds,
  );
  const [row] = await prepared<{ created_at: Date; deletion_time: Date | null }>(
    transaction,
    `WITH dropped AS (DELETE FROM secret_versions WHERE secret_id = ? AND version < ?)
     INSERT INTO secret_versions (secret_id, version, sealed, created_by, created_at, deletion_time)
     SELECT ?, ?, ?, ?, at, at + ?::bigint * interval '1 second' FROM clock_timestamp() AS at
     RETURNING created_at, deletion_time`,
    [
      secret.id,
      secret.oldest_version,
      secret.id,
      secret.current_version,
      sealed,
      version.createdBy,
      lifetime,
    ],
  );
  if (!row) throw new Error('a version was not written');
  return {
    version: secret.current_version,
    ...row,
    created_by: version.createdBy,
    deleted_by: null,
    deleted: false,
    destroyed: false,
    custom_metadata: secret.custom_metadata,
    oldest_version: secret.oldest_version,
  };
}

/** The current version, locked for a change that builds on it; undefined if there is none. */
export async function findVersionToChange(
  transaction: Database,
  key: SecretKey,
): Promise<StoredVersion | undefined> {
  const secret = await lockSecret(transaction, key);
  return secret && findVersion(transaction, key);
}

/** Replaces the value of a secret in a mount without versions; its version is always 1. Returns whether it is new. */
export async function replaceValue(
  transaction: Database,
  keyring: Keyring,
  { mount, path }: SecretKey,
  value: { json: string; createdBy: string },
): Promise<boolean> {
  const { rows } = await transaction.raw<{ rows: { id: number; is_new: boolean }[] }>(
    `INSERT INTO secrets (mount_id, path, current_version, last_updated_by) VALUES (?, ?, 1, ?)
     ON CONFLICT (mount_id, path) DO UPDATE SET
       last_updated_by = excluded.last_updated_by, updated_at = clock_timestamp()
     RETURNING id, xmax = 0 AS is_new`,
    [mount.id, path, value.createdBy],
  );
  const id = rows[0]?.id ?? 0;
  await transaction('secret_versions')
    .insert({
      secret_id: id,
      version: 1,
      sealed: seal(keyring, value.json, versionIdentity(id, 1)),
      created_by: value.createdBy,
    })
    .onConflict(['secret_id', 'version'])
    .merge(['sealed', 'created_by']);
  return rows[0]?.is_new ?? false;
}

// One statement creates or locks the secret and raises its version: writers of one secret wait for each other here.
async function bump(transaction: Database, { mount, path }: SecretKey, updatedBy: string): Promise<Bumped> {
  const [row] = await prepared<Bumped>(
    transaction,
    `INSERT INTO secrets AS s (mount_id, path, current_version, last_updated_by) VALUES (?, ?, 1, ?)
     ON CONFLICT (mount_id, path) DO UPDATE SET
       current_version = s.current_version + 1,
       -- Stays 0 as long as no version was dropped.
       oldest_version = greatest(s.oldest_version, nullif(s.current_version + 2 - ${KEPT_VERSIONS}, 1)),
       last_updated_by = excluded.last_updated_by,
       updated_at = clock_timestamp()
     RETURNING id, current_version, oldest_version, cas_required, delete_version_after_seconds, custom_metadata`,
    [mount.id, path, updatedBy, mount.max_versions],
  );
  if (!row) throw new Error('a secret was not written');
  return row;
}

function checkAndSet(required: boolean, cas: number | undefined, current: number): void {
  if (cas === undefined && required) throw badRequest('check-and-set parameter required for this call');
  if (cas === undefined || cas === current) return;
  throw badRequest('check-and-set parameter did not match the current version');
}

// Null: no expiry. The shorter lifetime applies; a negative one of the mount turns the feature off.
function versionLifetime(ofMount: number, ofSecret: number): number | null {
  if (ofMount < 0) return null;
  const given = [ofMount, ofSecret].filter((seconds) => seconds > 0);
  return given.length > 0 ? Math.min(...given) : null;
}
