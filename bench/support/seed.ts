import { randomBytes } from 'node:crypto';
import { seal } from '../../libs/crypto/seal.ts';
import type { Context } from '../../libs/service/context.ts';
import { insertAssociations } from '../../test/support/associations.ts';

const ROWS_PER_STATEMENT = 1000;

/** Inserts a first version of many secrets of the mount `secret/` into the database. Returns their paths. */
export async function seedSecrets(context: Context, prefix: string, count: number): Promise<string[]> {
  const { db, keyring } = context;
  const mount: { id: number } = await db('mounts').where({ path: 'secret' }).first('id');
  const paths = Array.from({ length: count }, (_, index) => `${prefix}${index}`);
  for (let start = 0; start < count; start += ROWS_PER_STATEMENT) {
    const chunk = paths.slice(start, start + ROWS_PER_STATEMENT);
    const rows: { id: number }[] = await db('secrets').insert(
      chunk.map((path) => ({ mount_id: mount.id, path, current_version: 1, oldest_version: 1 })),
      ['id'],
    );
    await db('secret_versions').insert(
      rows.map(({ id }) => ({ secret_id: id, version: 1, sealed: sealedValue(keyring, id, 1) })),
    );
  }
  return paths;

  function sealedValue(ring: Context['keyring'], id: number, version: number): Buffer {
    const value = JSON.stringify({ password: randomBytes(16).toString('hex') });
    return seal(ring, value, `secret_versions/${id}/${version}`);
  }
}

/** Associates secrets with a destination without making them due. A later trigger pushes them. */
export async function seedAssociations(
  context: Context,
  destinationId: number,
  paths: string[],
): Promise<void> {
  const { db } = context;
  const mount: { id: number } = await db('mounts').where({ path: 'secret' }).first('id');
  for (let start = 0; start < paths.length; start += ROWS_PER_STATEMENT) {
    await insertAssociations(
      db,
      paths.slice(start, start + ROWS_PER_STATEMENT).map((path) => ({
        destination_id: destinationId,
        mount_id: mount.id,
        secret_path: path,
        due_at: null,
        synced_generation: 1,
      })),
    );
  }
}

/** Gives every secret (of one destination) a newer version, like a burst of writes, and makes every association due. */
export async function changeAll(context: Context, destinationId?: number): Promise<void> {
  const { db, keyring } = context;
  const scope = destinationId === undefined ? {} : { destination_id: destinationId };
  const secrets: { id: number; current_version: number }[] = await db('secrets')
    .whereExists(
      db('association_keys')
        .where(scope)
        .whereRaw('(mount_id, secret_path) = (secrets.mount_id, secrets.path)'),
    )
    .select('id', 'current_version');
  for (let start = 0; start < secrets.length; start += ROWS_PER_STATEMENT) {
    const chunk = secrets.slice(start, start + ROWS_PER_STATEMENT);
    await db('secret_versions').insert(
      chunk.map(({ id, current_version: version }) => ({
        secret_id: id,
        version: version + 1,
        sealed: seal(
          keyring,
          JSON.stringify({ password: randomBytes(16).toString('hex') }),
          `secret_versions/${id}/${version + 1}`,
        ),
      })),
    );
  }
  for (let start = 0; start < secrets.length; start += ROWS_PER_STATEMENT) {
    const ids = secrets.slice(start, start + ROWS_PER_STATEMENT).map(({ id }) => id);
    await db('secrets')
      .whereIn('id', ids)
      .update({ current_version: db.raw('current_version + 1') });
  }
  await db('associations')
    .where(scope)
    .update({
      generation: db.raw('generation + 1'),
      due_at: db.raw('CASE WHEN lease_token IS NULL THEN now() ELSE due_at END'),
    });
}
