import { randomId } from '../../crypto/fingerprint.ts';
import type { Database } from '../../db/connect.ts';
import { inBatches, type Change } from '../../db/in-batches.ts';
import { transact } from '../../db/transact.ts';
import { FOREIGN_KEY_VIOLATION, isSqlState } from '../../db/sql-state.ts';
import { badRequest } from '../../errors/request-error.ts';
import { countHindrances } from './namespace-contents.ts';

/** `path` has no slash at its ends; the root namespace's path is empty. */
export type Namespace = { id: string; path: string };

/** A namespace with the metadata that people set. */
export type DescribedNamespace = Namespace & { custom_metadata: Record<string, string> };

export const ROOT_NAMESPACE: Namespace = { id: 'root', path: '' };

/** The longest path of a namespace, in characters. */
export const LONGEST_NAMESPACE_PATH = 500;

// Any number that no other lock in the database uses.
const LAYOUT_LOCK = 7_325_439;

/** Locks the layout of mounts and namespaces until the transaction ends, so that changes of it run one at a time. */
export async function lockLayout(transaction: Database): Promise<void> {
  await transaction.raw('SELECT pg_advisory_xact_lock(?)', [LAYOUT_LOCK]);
}

/** Undefined if there is none. */
export async function findNamespace(db: Database, path: string): Promise<Namespace | undefined> {
  if (path === '') return ROOT_NAMESPACE;
  return db<Namespace>('namespaces').where({ path }).first('id', 'path');
}

/** A namespace below another one; `way`: the path from there to it; `rest`: the remaining path inside it. */
export type Entered = { namespace: Namespace; way: string; rest: string };

/** Finds the deepest namespace below `above` whose path is the beginning of `path`. */
export async function findNamespaceOf(
  db: Database,
  above: Namespace,
  path: string,
): Promise<Entered | undefined> {
  const start = above.path === '' ? '' : `${above.path}/`;
  const paths: string[] = [];
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    if (start.length + end > LONGEST_NAMESPACE_PATH) break;
    paths.push(start + path.slice(0, end));
  }
  if (paths.length === 0) return undefined;
  const namespace = await db<Namespace>('namespaces')
    .whereIn('path', paths)
    .orderByRaw('length(path) DESC')
    .first('id', 'path');
  if (!namespace) return undefined;
  const way = namespace.path.slice(start.length);
  return { namespace, way, rest: path.slice(way.length + 1) };
}

/**
 * The namespace with its metadata; undefined if there is none. In a transaction, `lock` keeps others from changing it.
 */
export async function describeNamespace(
  db: Database,
  path: string,
  { lock = false } = {},
): Promise<DescribedNamespace | undefined> {
  const query = db<DescribedNamespace>('namespaces').where({ path });
  if (lock) void query.forUpdate();
  return query.first('id', 'path', 'custom_metadata');
}

/** Replaces the metadata of a namespace. */
export async function noteAboutNamespace(
  db: Database,
  { id }: Namespace,
  metadata: Record<string, string>,
): Promise<void> {
  await db('namespaces').where({ id }).update({ custom_metadata: metadata });
}

/** Children of a namespace at every depth, ordered by path. */
export async function listNamespacesBelow(db: Database, parent: Namespace): Promise<DescribedNamespace[]> {
  const query = db<DescribedNamespace>('namespaces')
    .whereNot({ id: 'root' })
    .orderBy('path')
    .select('id', 'path', 'custom_metadata');
  if (parent.path !== '') void query.whereRaw('starts_with(path, ?)', [`${parent.path}/`]);
  return query;
}

/**
 * Returns the existing namespace if the path is taken, unless `guard` throws. Throws 400 if the parent namespace is
 * missing, or a mount has the path.
 */
export async function createNamespace(
  db: Database,
  path: string,
  guard: (isThere: boolean) => void = () => undefined,
): Promise<Namespace> {
  return transact(db, async (transaction) => {
    await lockLayout(transaction);
    const existing = await findNamespace(transaction, path);
    guard(existing !== undefined);
    if (existing) return existing;
    const above = path.split('/').slice(0, -1).join('/');
    if (!(await findNamespace(transaction, above))) {
      throw badRequest(`there is no namespace ${above}/: create it first`);
    }
    await refuseMountAt(transaction, path);
    const created = { id: randomId(6), path };
    await transaction('namespaces').insert(created);
    return created;
  });
}

/**
 * Throws 400 with a list of what the namespace still contains. Expired tokens do not count: they are deleted first,
 * `limit` at a time.
 */
export async function deleteNamespace(db: Database, namespace: Namespace, limit: number): Promise<void> {
  const change: Change = (work) => transact(db, work);
  await inBatches(change, limit, (transaction) => deleteExpiredTokens(transaction, namespace, limit));
  await transact(db, async (transaction) => {
    await lockLayout(transaction);
    const contents = await describeContents(transaction, namespace);
    if (contents.length > 0) {
      throw badRequest(`the namespace ${namespace.path}/ is not empty: it still has ${contents.join(', ')}`);
    }
    try {
      await transaction('namespaces').where({ id: namespace.id }).delete();
    } catch (error) {
      if (!isSqlState(error, FOREIGN_KEY_VIOLATION)) throw error;
      throw badRequest(`the namespace ${namespace.path}/ is not empty: something was just added to it`);
    }
  });
}

/** Whether `inner` is `outer` or lies below it. */
export function isWithin(outer: Namespace, inner: Namespace): boolean {
  return outer.path === '' || inner.path === outer.path || inner.path.startsWith(`${outer.path}/`);
}

async function deleteExpiredTokens(
  transaction: Database,
  namespace: Namespace,
  limit: number,
): Promise<number> {
  const expired = transaction('tokens')
    .where({ namespace_id: namespace.id })
    .whereRaw('expires_at <= now()')
    .orderBy('id')
    .limit(limit)
    .select('id');
  return transaction('tokens').whereIn('id', expired).delete();
}

async function describeContents(transaction: Database, namespace: Namespace): Promise<string[]> {
  const hindrances = await countHindrances(transaction, namespace);
  return Object.entries(hindrances).map(
    ([name, count]) => `${count} ${nameOf(name.replace('_', ' '), count)}`,
  );
}

function nameOf(things: string, count: number): string {
  return count === 1 ? things.replace(/ies$/, 'y').replace(/s$/, '') : things;
}

// Rules of a token see a namespace below it as a path, so a mount must not have the same path.
async function refuseMountAt(transaction: Database, path: string): Promise<void> {
  const { rows } = await transaction.raw<{ rows: { path: string }[] }>(
    `SELECT path FROM (
       SELECT ltrim(n.path || '/' || m.path, '/') AS path FROM mounts m JOIN namespaces n ON n.id = m.namespace_id) taken
     WHERE path = ? OR starts_with(path, ?) OR starts_with(?, path || '/') LIMIT 1`,
    [path, `${path}/`, path],
  );
  if (rows[0]) throw badRequest(`path is already in use by the mount ${rows[0].path}/`);
}
