import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { badRequest } from '../../errors/request-error.ts';
import { countAssociations, hasAssociations } from '../destinations/destinations.ts';
import type { Mount } from './mounts.ts';
import { counted } from '../../collections/counted.ts';

/**
 * Deletes a mount with all its secrets. From now on no query finds it; if it has more than `limit` secrets, a job removes
 * the rest. Throws 400 if its secrets still have associations.
 */
export async function deleteMount(db: Database, mount: Mount, limit: number): Promise<void> {
  // `transact` retries after a deadlock: a write into the mount may lock a secret and then wait for the mount.
  await transact(db, async (transaction) => {
    // A transaction that associates a secret of the mount locks the mount until it ends.
    const row = { id: mount.id, namespace_id: mount.namespace_id, path: mount.path };
    const rows: unknown[] = await transaction('mounts').where(row).forUpdate().select('id');
    if (rows.length === 0) return;
    if (await hasAssociations(transaction, { mount_id: mount.id })) throw await stillAssociated(db, mount);
    await transaction('mounts').where(row).update({ namespace_id: null });
    await continueMountDeletion(transaction, mount.id, limit);
  });
}

/**
 * Removes at most `limit` secrets of a deleted mount with all their versions, and after the last one the mount. Returns
 * the number of secrets. The mount's row stays while rows of deleted destinations refer to it.
 */
export async function continueMountDeletion(
  transaction: Database,
  id: number,
  limit: number,
): Promise<number> {
  const secrets = transaction('secrets').where({ mount_id: id }).orderBy('id').limit(limit).select('id');
  const count: number = await transaction('secrets').whereIn('id', secrets).delete();
  if (count < limit)
    await transaction('mounts')
      .where({ id, namespace_id: null })
      .whereNotExists(transaction('association_keys').where({ mount_id: id }))
      .delete();
  return count;
}

/** Deleted mounts that still have rows. */
export async function findDeletedMounts(db: Database): Promise<number[]> {
  return db('mounts').whereNull('namespace_id').orderBy('id').pluck('id');
}

async function stillAssociated(db: Database, mount: Mount): Promise<Error> {
  const { count, removing } = await countAssociations(db, { mount_id: mount.id });
  return badRequest(
    `the mount ${mount.path}/ still has ${counted(count, 'association')} with sync destinations: ` +
      (count === removing
        ? 'all are being removed already, so try again in a moment'
        : 'remove them first (POST sys/sync/destinations/<type>/<name>/associations/remove), so that the external copies are removed as well'),
  );
}
