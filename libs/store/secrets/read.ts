import type { Keyring } from '../../crypto/keyring.ts';
import { unseal } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import { createLookup } from '../../db/lookup.ts';
import { prepared } from '../../db/prepared.ts';
import type { SecretKey, SecretVersion } from './secrets.ts';

/** A version with the metadata of its secret and its sealed value (null once destroyed). */
export type StoredVersion = SecretVersion & {
  secret_id: number;
  sealed: Buffer | null;
  custom_metadata: Record<string, string> | null;
};

/** The identity that a version's value is sealed for. */
export function versionIdentity(secretId: number, version: number): string {
  return `secret_versions/${secretId}/${version}`;
}

const storedVersion = (version: string): string => `
  SELECT v.secret_id, v.version, v.sealed, v.created_at, v.created_by, v.deleted_by, v.deletion_time, v.destroyed, s.custom_metadata,
    coalesce(v.deletion_time <= clock_timestamp(), false) AS deleted
  FROM secrets s JOIN secret_versions v ON v.secret_id = s.id AND v.version = coalesce(${version}, s.current_version)`;

const lookUpStored = createLookup<{ mountId: number; path: string; version: number | null }, StoredVersion>(
  { mountId: 'bigint', path: 'text', version: 'integer' },
  `${storedVersion('key.version')} WHERE s.mount_id = key."mountId" AND s.path = key.path`,
);

/** Like `findVersion`, for reads outside of transactions. */
export function lookUpVersion(
  db: Database,
  { mount, path }: SecretKey,
  version?: number,
): Promise<StoredVersion | undefined> {
  return lookUpStored(db, { mountId: mount.id, path, version: version ?? null });
}

/** A version, or the current one if none is named; also if it is deleted or destroyed. */
export async function findVersion(
  db: Database,
  { mount, path }: { mount: Pick<SecretKey['mount'], 'id'>; path: string },
  version?: number,
): Promise<StoredVersion | undefined> {
  const [stored] = await prepared<StoredVersion>(
    db,
    `${storedVersion('?::integer')} WHERE s.mount_id = ? AND s.path = ?`,
    [version ?? null, mount.id, path],
  );
  return stored;
}

/** All versions, oldest first, without their values. */
export async function listVersions(db: Database, secretId: number): Promise<SecretVersion[]> {
  const { rows } = await db.raw<{ rows: SecretVersion[] }>(
    `SELECT version, created_at, created_by, deleted_by, deletion_time, destroyed,
       coalesce(deletion_time <= clock_timestamp(), false) AS deleted
     FROM secret_versions WHERE secret_id = ? ORDER BY version`,
    [secretId],
  );
  return rows;
}

/** The JSON text of a version's data; null if it is deleted or destroyed. Throws UnsealError. */
export function openVersion(keyring: Keyring, stored: StoredVersion): string | null {
  if (stored.deleted || stored.destroyed || !stored.sealed) return null;
  return unseal(keyring, stored.sealed, versionIdentity(stored.secret_id, stored.version)).toString();
}
