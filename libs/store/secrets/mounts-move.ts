import { badRequest } from '../../errors/request-error.ts';
import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { lockLayout, type Namespace } from '../access/namespaces.ts';
import { countAssociations } from '../destinations/destinations.ts';
import { continueRollout, rolloutColumns } from '../destinations/rollout.ts';
import { refuseTakenPath, type Mount } from './mounts.ts';
import { counted } from '../../collections/counted.ts';

/** Where a mount is or will be. */
export type MountPlace = { namespace: Namespace; path: string };

/** The result of a move: destinations whose templates use the mount's path write their entries under other names. */
export type MountMove = { id: string; renamed: number };

/** A move as reported later; paths begin at the root namespace. */
export type MoveStatus = { source: string; target: string };

type Concerned = { id: number; associations: number };

// The accessor of a mount does not change. Each push finds out whether a changed placeholder gives another name.
const NAMES_THE_MOUNT = String.raw`\.(MountPath|MountBaseName)\M`;

const CONCERNED = `
SELECT d.id, count(*)::integer AS associations
FROM destinations d JOIN association_keys k ON k.destination_id = d.id
  JOIN associations a ON a.id = k.association_id
WHERE k.mount_id = ? AND coalesce(a.secret_name_template, d.secret_name_template) ~ ?
GROUP BY d.id ORDER BY d.id`;

/**
 * Gives a mount another path. Secrets, versions and associations refer to the mount's id, so they move with it. Throws
 * 400 if the path is taken, or if a change of the namespace would separate associations from their destinations.
 */
export async function moveMount(
  db: Database,
  mount: Mount,
  { from, to, author, limit }: { from: MountPlace; to: MountPlace; author: string; limit: number },
): Promise<MountMove> {
  return transact(db, async (transaction) => {
    await lockLayout(transaction);
    // A transaction that associates a secret of the mount locks the mount until it ends.
    const row = { id: mount.id, namespace_id: from.namespace.id, path: from.path };
    const rows: unknown[] = await transaction('mounts').where(row).forUpdate().select('id');
    if (rows.length === 0) throw badRequest(`No secret engine mount at ${from.path}/`);
    await refuseTakenPath(transaction, to.namespace, to.path, mount.id);
    if (to.namespace.id !== from.namespace.id) await refuseAssociated(transaction, mount);
    const [moved] = await transaction('mounts')
      .where({ id: mount.id })
      .update({
        namespace_id: to.namespace.id,
        path: to.path,
        move_id: transaction.raw('gen_random_uuid()'),
        moved_from: fullPath(from),
      })
      .returning<{ move_id: string }[]>('move_id');
    if (!moved) throw new Error('a locked mount disappeared');
    return { id: moved.move_id, renamed: await renameEntries(transaction, mount.id, { author, limit }) };
  });
}

/** The move with this id; undefined if there is none, or if the mount was moved again or deleted since. */
export async function findMove(db: Database, id: string): Promise<MoveStatus | undefined> {
  const row = await db('mounts')
    .join('namespaces', 'namespaces.id', 'mounts.namespace_id')
    .where({ move_id: id })
    .first<{ moved_from: string; path: string; namespace: string } | undefined>(
      'mounts.moved_from',
      'mounts.path',
      'namespaces.path AS namespace',
    );
  if (!row) return undefined;
  return { source: row.moved_from, target: [row.namespace, row.path].filter(Boolean).join('/') };
}

function fullPath({ namespace, path }: MountPlace): string {
  return [namespace.path, path].filter(Boolean).join('/');
}

async function refuseAssociated(transaction: Database, mount: Mount): Promise<void> {
  const { count } = await countAssociations(transaction, { mount_id: mount.id });
  if (count === 0) return;
  throw badRequest(
    `secrets of the mount ${mount.path}/ have ${counted(count, 'association')} with sync destinations of its namespace: remove them first, or move the mount within its namespace`,
  );
}

async function renameEntries(
  transaction: Database,
  mountId: number,
  { author, limit }: { author: string; limit: number },
): Promise<number> {
  const { rows } = await transaction.raw<{ rows: Concerned[] }>(CONCERNED, [mountId, NAMES_THE_MOUNT]);
  for (const { id } of rows) {
    await transaction('destinations').where({ id }).update(rolloutColumns(author));
    await continueRollout(transaction, id, limit);
  }
  return rows.reduce((sum, { associations }) => sum + associations, 0);
}
