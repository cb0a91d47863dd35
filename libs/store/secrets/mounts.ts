import { randomBytes } from 'node:crypto';
import { badRequest } from '../../errors/request-error.ts';
import type { Database } from '../../db/connect.ts';
import { createLookup } from '../../db/lookup.ts';
import { prepared } from '../../db/prepared.ts';
import { lockLayout, type Namespace } from '../access/namespaces.ts';

/** A KV mount; `path` has no slash at its ends. `config` holds lease settings that are only echoed. */
export type Mount = {
  id: number;
  namespace_id: string;
  path: string;
  accessor: string;
  uuid: string;
  version: 1 | 2;
  description: string;
  config: Record<string, unknown>;
  max_versions: number;
  cas_required: boolean;
  delete_version_after_seconds: number;
  /** Kept and echoed: there is no replication and no second seal here. */
  local: boolean;
  seal_wrap: boolean;
  /** Somebody named the version, or it is 2. */
  names_version: boolean;
};

/** What may be changed of a mount. */
export type MountSettings = Partial<
  Pick<
    Mount,
    | 'version'
    | 'names_version'
    | 'description'
    | 'config'
    | 'max_versions'
    | 'cas_required'
    | 'delete_version_after_seconds'
  >
>;

/** A mount's path has at most so many segments: the search for a path's mount looks at no more. */
export const MOST_MOUNT_SEGMENTS = 8;

const MOUNTS = `SELECT id, namespace_id, path, accessor, uuid, version, description, config, max_versions, cas_required,
  delete_version_after_seconds, local, seal_wrap, names_version FROM mounts`;

const lookUpMountOf = createLookup<{ namespaceId: string; prefixes: string[] }, Mount>(
  { namespaceId: 'text', prefixes: 'text[]' },
  `${MOUNTS} WHERE namespace_id = key."namespaceId" AND path = ANY(key.prefixes) ORDER BY length(path) DESC`,
);

/** The mount a path lies in: the longest whose path begins it. For reads outside of transactions. */
export function lookUpMount(db: Database, namespaceId: string, path: string): Promise<Mount | undefined> {
  const segments = path.split('/', MOST_MOUNT_SEGMENTS);
  const prefixes = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  return lookUpMountOf(db, { namespaceId, prefixes });
}

/** A mount by its own path. */
export async function findMount(db: Database, namespaceId: string, path: string): Promise<Mount | undefined> {
  const [mount] = await prepared<Mount>(db, `${MOUNTS} WHERE namespace_id = ? AND path = ?`, [
    namespaceId,
    path,
  ]);
  return mount;
}

/** All mounts of one namespace in order of path. */
export async function listMounts(db: Database, namespaceId: string): Promise<Mount[]> {
  return db<Mount>('mounts').where({ namespace_id: namespaceId }).orderBy('path');
}

/** Throws 400 where a mount or a namespace has the path, lies within it or around it. */
export async function createMount(
  db: Database,
  mount: {
    namespace: Namespace;
    path: string;
    version: 1 | 2;
    names_version: boolean;
    description: string;
    config: Record<string, unknown>;
    local: boolean;
    seal_wrap: boolean;
  },
): Promise<void> {
  const { namespace, path } = mount;
  await db.transaction(async (transaction) => {
    await lockLayout(transaction);
    await refuseTakenPath(transaction, namespace, path);
    await transaction('mounts').insert({
      namespace_id: namespace.id,
      path,
      accessor: `kv_${randomBytes(4).toString('hex')}`,
      version: mount.version,
      names_version: mount.names_version,
      description: mount.description,
      config: mount.config,
      local: mount.local,
      seal_wrap: mount.seal_wrap,
    });
  });
}

/**
 * Throws 400 where a mount or a namespace has the path, lies within it or around it. `except`: a mount that is about to leave
 * its path.
 */
export async function refuseTakenPath(
  transaction: Database,
  namespace: Namespace,
  path: string,
  except?: number,
): Promise<void> {
  const inTheWay = await transaction<Mount>('mounts')
    .where({ namespace_id: namespace.id })
    .whereNot({ id: except ?? 0 })
    .whereRaw("(path = ? OR starts_with(path, ?) OR starts_with(?, path || '/'))", [path, `${path}/`, path])
    .first();
  if (inTheWay) throw badRequest(`path is already in use at ${inTheWay.path}/`);
  await refuseNamespaceAt(transaction, namespace, path);
}

/** What is absent stays as it is, within `config` as well. */
export async function updateMount(
  db: Database,
  id: number,
  { config, ...settings }: MountSettings,
): Promise<void> {
  const added = config ? { config: db.raw('config || ?::jsonb', [JSON.stringify(config)]) } : {};
  const changes = { ...settings, ...added };
  if (Object.keys(changes).length === 0) return;
  await db('mounts').where({ id }).update(changes);
}

// Rules of a token see a namespace below it as a path: the same path must not also be a mount's.
async function refuseNamespaceAt(transaction: Database, namespace: Namespace, path: string): Promise<void> {
  const absolute = [namespace.path, path].filter(Boolean).join('/');
  const taken = await transaction<Namespace>('namespaces')
    .whereNot({ id: 'root' })
    .whereRaw("(path = ? OR starts_with(path, ?) OR starts_with(?, path || '/'))", [
      absolute,
      `${absolute}/`,
      absolute,
    ])
    // Not the namespace of the mount itself, nor those around it.
    .whereRaw("NOT (path = ? OR starts_with(?, path || '/'))", [namespace.path, namespace.path])
    .first();
  if (taken) throw badRequest(`path is already in use by the namespace ${taken.path}/`);
}

/** The oldest mount of a namespace; undefined where it has none. */
export async function findFirstMount(db: Database, namespaceId: string): Promise<Mount | undefined> {
  const [mount] = await prepared<Mount>(db, `${MOUNTS} WHERE namespace_id = ? ORDER BY id LIMIT 1`, [
    namespaceId,
  ]);
  return mount;
}
