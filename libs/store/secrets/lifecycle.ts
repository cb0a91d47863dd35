import type { Database } from '../../db/connect.ts';
import type { SecretChange } from '../../telling/attempts.ts';
import { lockSecret, type Secret, type SecretKey } from './secrets.ts';

/** Who makes the change, and which versions it concerns. */
export type VersionChange = { actor: string; versions: number[] };

/** A secret whose versions were changed, and the versions that were. */
export type ChangedVersions = { secret: Secret; changed: number[] };

/** Names a change of versions; undefined if none was changed. */
export function versionsChange(
  kind: SecretChange['kind'],
  done: ChangedVersions | undefined,
): SecretChange | undefined {
  return done && done.changed.length > 0 ? { kind, versions: done.changed } : undefined;
}

/**
 * Marks versions as deleted, the current one if none are named. Versions that are already deleted or destroyed keep their
 * time. Undefined if there is no secret.
 */
export async function deleteVersions(
  transaction: Database,
  key: SecretKey,
  { actor, versions }: Partial<VersionChange> & { actor: string },
): Promise<ChangedVersions | undefined> {
  const secret = await lockSecret(transaction, key);
  if (!secret) return undefined;
  const rows: { version: number }[] = await transaction('secret_versions')
    .where({ secret_id: secret.id, destroyed: false })
    .whereRaw('version = ANY (?)', [versions ?? [secret.current_version]])
    .whereRaw('(deletion_time IS NULL OR deletion_time > clock_timestamp())')
    .update({ deletion_time: transaction.raw('clock_timestamp()'), deleted_by: actor })
    .returning('version');
  return { secret, changed: rows.map(({ version }) => version) };
}

/** Undoes a deletion, also one in the future. Destroyed versions stay destroyed. */
export async function undeleteVersions(
  transaction: Database,
  key: SecretKey,
  { versions }: VersionChange,
): Promise<ChangedVersions | undefined> {
  const secret = await lockSecret(transaction, key);
  if (!secret) return undefined;
  const rows: { version: number }[] = await transaction('secret_versions')
    .where({ secret_id: secret.id, destroyed: false })
    .whereRaw('version = ANY (?)', [versions])
    .update({ deletion_time: null, deleted_by: null })
    .returning('version');
  return { secret, changed: rows.map(({ version }) => version) };
}

/** Deletes the values of versions for good. */
export async function destroyVersions(
  transaction: Database,
  key: SecretKey,
  { versions }: VersionChange,
): Promise<ChangedVersions | undefined> {
  const secret = await lockSecret(transaction, key);
  if (!secret) return undefined;
  const rows: { version: number }[] = await transaction('secret_versions')
    .where({ secret_id: secret.id })
    .whereRaw('version = ANY (?)', [versions])
    .update({ destroyed: true, sealed: null })
    .returning('version');
  return { secret, changed: rows.map(({ version }) => version) };
}

/** Deletes a secret with its versions and metadata. Returns how many there were: one or none. */
export async function deleteSecret(transaction: Database, { mount, path }: SecretKey): Promise<number> {
  return transaction('secrets').where({ mount_id: mount.id, path }).delete();
}
