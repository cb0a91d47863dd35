import { randomBytes } from 'node:crypto';
import { badRequest } from '../../errors/request-error.ts';
import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';
import { createLookup } from '../../db/lookup.ts';
import { prepared } from '../../db/prepared.ts';
import { lockLayout, type Namespace } from '../access/namespaces.ts';

/**
 * A KV mount; `path` has no slash at its ends. `config` holds lease settings that are stored and returned, but not used.
 */
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
  /** Stored and returned, but not used: there is no replication and no second seal here. */
  local: boolean;
  seal_wrap: boolean;
  /** The version was given explicitly, or it is 2. */
  names_version: boolean;
};

/** The fields of a mount that can be changed. */
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

/** The most segments of a mount's path. The search for the mount of a path looks at no more. */
export const MOST_MOUNT_SEGMENTS = 8;

const MOUNTS = `SELECT id, namespace_id, path, accessor, uuid, version, description, config, max_versions, cas_required,
  delete_version_after_seconds, local, seal_wrap, names_version FROM mounts`;

const lookUpMountOf = createLookup<{ namespaceId: string; prefixes: string[] }, Mount>(
  { namespaceId: 'text', prefixes: 'text[]' },
  `${MOUNTS} WHERE namespace_id = key."namespaceId" AND path = ANY(key.prefixes) ORDER BY length(path) DESC`,
);

/** The mount that contains a path: the one with the longest matching prefix. For reads outside of transactions. */
export function lookUpMount(db: Database, namespaceId: string, path: string): Promise<Mount | undefined> {
  const segments = path.split('/', MOST_MOUNT_SEGMENTS);
  const prefixes = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  return lookUpMountOf(db, { namespaceId, prefixes });
}

/** Those of the given names that a mount in any namespace has as its path. */
export async function findMountNames(db: Database, names: string[]): Promise<string[]> {
  const rows = await prepared<{ path: string }>(
    db,
    'SELECT DISTINCT path FROM mounts WHERE namespace_id IS NOT NULL AND path = ANY (?::text[])',
    [names],
  );
  return rows.map(({ path }) => path);
}

/** A mount by its own path. */
export async function findMount(db: Database, namespaceId: string, path: string): Promise<Mount | undefined> {
  const [mount] = await prepared<Mount>(db, `${MOUNTS} WHERE namespace_id = ? AND path = ?`, [
    namespaceId,
    path,
  ]);
  return mount;
}

/** All mounts of one namespace, ordered by path. */
export async function listMounts(db: Database, namespaceId: string): Promise<Mount[]> {
  return db<Mount>('mounts').where({ namespace_id: namespaceId }).orderBy('path');
}

/** The mounts of a namespace and of all namespaces below it, each with its namespace. */
export async function listMountsWithin(
  db: Database,
  { path }: Namespace,
): Promise<(Pick<Mount, 'path' | 'version'> & { namespace: Namespace })[]> {
  const { rows } = await db.raw<{
    rows: (Pick<Mount, 'path' | 'version'> & { id: string; place: string })[];
  }>(
    `SELECT m.path, m.version, n.id, n.path AS place FROM mounts m JOIN namespaces n ON n.id = m.namespace_id
     WHERE ? = '' OR n.path = ? OR starts_with(n.path, ?)`,
    [path, path, `${path}/`],
  );
  return rows.map((row) => ({
    path: row.path,
    version: row.version,
    namespace: { id: row.id, path: row.place },
  }));
}

/** Throws 400 if a mount or a namespace has the path, or one above or below it. */
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
  await transact(db, async (transaction) => {
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
 * Throws 400 if a mount or a namespace has the path, or one above or below it. `except`: a mount that is leaving its
 * path.
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

/** Absent fields stay as they are, within `config` too. */
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

// Rules of a token see a namespace below it as a path, so a mount must not have the same path.
async function refuseNamespaceAt(transaction: Database, namespace: Namespace, path: string): Promise<void> {
  const absolute = [namespace.path, path].filter(Boolean).join('/');
  const taken = await transaction<Namespace>('namespaces')
    .whereNot({ id: 'root' })
    .whereRaw("(path = ? OR starts_with(path, ?) OR starts_with(?, path || '/'))", [
      absolute,
      `${absolute}/`,
      absolute,
    ])
    // Except the namespace of the mount itself and those above it.
    .whereRaw("NOT (path = ? OR starts_with(?, path || '/'))", [namespace.path, namespace.path])
    .first();
  if (taken) throw badRequest(`path is already in use by the namespace ${taken.path}/`);
}

/** The oldest mount of a namespace; undefined if there is none. */
export async function findFirstMount(db: Database, namespaceId: string): Promise<Mount | undefined> {
  const [mount] = await prepared<Mount>(db, `${MOUNTS} WHERE namespace_id = ? ORDER BY id LIMIT 1`, [
    namespaceId,
  ]);
  return mount;
}
