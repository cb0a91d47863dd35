import type { Database } from '../../db/connect.ts';
import { inBatches } from '../../db/in-batches.ts';
import { transact } from '../../db/transact.ts';
import { badRequest } from '../../errors/request-error.ts';
import { lockLayout, type Namespace } from '../access/namespaces.ts';
import type { MoveStatus } from '../secrets/mounts-move.ts';
import { logInPath, refuseTakenAuthPath, type AuthMount } from './mounts.ts';

/**
 * Disables an auth method: ends the tokens that its log-ins gave, at most `limit` in one transaction, and deletes it with
 * its roles. The last transaction waits for log-ins in progress, so that no token outlives the method.
 */
export async function deleteAuthMount(db: Database, mount: AuthMount, limit: number): Promise<void> {
  await endMostTokens(db, mount, limit);
  await transact(db, async (transaction) => {
    if (await endLastTokens(transaction, mount))
      await transaction('auth_mounts').where({ id: mount.id }).delete();
  });
}

/**
 * Gives an auth method another path in its namespace, and returns the id of the move. Roles and their credentials move
 * along. The tokens of its log-ins end: they name the path where they were given. Throws 400 if the path is taken.
 */
export async function moveAuthMount(
  db: Database,
  mount: AuthMount,
  { namespace, path, limit }: { namespace: Namespace; path: string; limit: number },
): Promise<string> {
  const { id, namespace_id } = mount;
  const wanted = { id, namespace_id, path };
  await refuseTakenAuthPath(db, wanted);
  await endMostTokens(db, mount, limit);
  return transact(db, async (transaction) => {
    await lockLayout(transaction);
    if (!(await endLastTokens(transaction, mount))) throw badRequest(`No auth engine at ${mount.path}/`);
    await refuseTakenAuthPath(transaction, wanted);
    const moved_from = [namespace.path, 'auth', mount.path].filter(Boolean).join('/');
    const [moved] = await transaction('auth_mounts')
      .where({ id })
      .update({ path, moved_from, move_id: transaction.raw('gen_random_uuid()') })
      .returning<{ move_id: string }[]>('move_id');
    if (!moved) throw new Error('a locked auth method disappeared');
    return moved.move_id;
  });
}

/** The move with this id; undefined if there is none, or if the auth method was moved again or disabled since. */
export async function findAuthMove(db: Database, id: string): Promise<MoveStatus | undefined> {
  const row = await db('auth_mounts')
    .join('namespaces', 'namespaces.id', 'auth_mounts.namespace_id')
    .where({ move_id: id })
    .first<{ moved_from: string; path: string; namespace: string } | undefined>(
      'auth_mounts.moved_from',
      'auth_mounts.path',
      'namespaces.path AS namespace',
    );
  if (!row) return undefined;
  return { source: row.moved_from, target: [row.namespace, 'auth', row.path].filter(Boolean).join('/') };
}

async function endMostTokens(db: Database, mount: AuthMount, limit: number): Promise<void> {
  await inBatches(
    (work) => transact(db, work),
    limit,
    (transaction) => {
      const some = transaction('tokens').where(tokensOf(mount)).orderBy('id').limit(limit).select('id');
      return transaction('tokens').whereIn('id', some).delete();
    },
  );
}

// False: the auth method is gone from its path.
async function endLastTokens(transaction: Database, mount: AuthMount): Promise<boolean> {
  const { id, path } = mount;
  const rows: unknown[] = await transaction('auth_mounts').where({ id, path }).forUpdate().select('id');
  if (rows.length === 0) return false;
  await transaction('tokens').where(tokensOf(mount)).delete();
  return true;
}

function tokensOf(mount: AuthMount): { namespace_id: string; path: string } {
  return { namespace_id: mount.namespace_id, path: logInPath(mount) };
}
