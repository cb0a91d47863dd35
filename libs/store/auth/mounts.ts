import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/connect.ts';
import { inBatches } from '../../db/in-batches.ts';
import { createLookup } from '../../db/lookup.ts';
import { prepared } from '../../db/prepared.ts';
import { transact } from '../../db/transact.ts';
import { badRequest } from '../../errors/request-error.ts';
import { lockLayout } from '../access/namespaces.ts';

/** What can be enabled. */
export const AUTH_TYPES = ['approle', 'jwt', 'kubernetes'] as const;

export type AuthType = (typeof AUTH_TYPES)[number];

/** Lifetimes are in seconds, absent or 0: the default. Other keys are stored and returned, but not used. */
export type AuthTuning = { default_lease_ttl?: number; max_lease_ttl?: number } & Record<string, unknown>;

/** An auth method that somebody enabled; `path` has no slash at its ends and does not begin with `auth/`. */
export type AuthMount = {
  id: number;
  namespace_id: string;
  path: string;
  type: AuthType;
  accessor: string;
  uuid: string;
  description: string;
  tuning: AuthTuning;
  /** How the method verifies a log-in. */
  config: Record<string, unknown>;
};

/** The most segments of the path of an auth method. */
export const MOST_AUTH_SEGMENTS = 8;

const COLUMNS = 'id, namespace_id, path, type, accessor, uuid, description, tuning, config';
const MOUNTS = `SELECT ${COLUMNS} FROM auth_mounts`;

const lookUpMountOf = createLookup<{ namespaceId: string; prefixes: string[] }, AuthMount>(
  { namespaceId: 'text', prefixes: 'text[]' },
  `${MOUNTS} WHERE namespace_id = key."namespaceId" AND path = ANY(key.prefixes)`,
);

/** The auth method that contains a path; both without `auth/`. For reads outside of transactions. */
export function lookUpAuthMount(
  db: Database,
  namespaceId: string,
  path: string,
): Promise<AuthMount | undefined> {
  const segments = path.split('/', MOST_AUTH_SEGMENTS);
  const prefixes = segments.map((_, index) => segments.slice(0, index + 1).join('/'));
  return lookUpMountOf(db, { namespaceId, prefixes });
}

/** An auth method by its own path. */
export async function findAuthMount(
  db: Database,
  namespaceId: string,
  path: string,
): Promise<AuthMount | undefined> {
  const [mount] = await prepared<AuthMount>(db, `${MOUNTS} WHERE namespace_id = ? AND path = ?`, [
    namespaceId,
    path,
  ]);
  return mount;
}

/** Those of one namespace, ordered by path. */
export async function listAuthMounts(db: Database, namespaceId: string): Promise<AuthMount[]> {
  return prepared<AuthMount>(db, `${MOUNTS} WHERE namespace_id = ? ORDER BY path`, [namespaceId]);
}

export type NewAuthMount = Pick<AuthMount, 'namespace_id' | 'path' | 'type' | 'description' | 'tuning'>;

/** Throws 400 if another auth method has the path, or one above or below it. */
export async function createAuthMount(db: Database, mount: NewAuthMount): Promise<void> {
  const { namespace_id, path, type } = mount;
  await transact(db, async (transaction) => {
    await lockLayout(transaction);
    const inTheWay = await transaction<AuthMount>('auth_mounts')
      .where({ namespace_id })
      .whereRaw("(path = ? OR starts_with(path, ?) OR starts_with(?, path || '/'))", [path, `${path}/`, path])
      .first();
    if (inTheWay) throw badRequest(`path is already in use at ${inTheWay.path}/`);
    const accessor = `auth_${type}_${randomBytes(4).toString('hex')}`;
    await transaction('auth_mounts').insert({ ...mount, accessor });
  });
}

/** Absent fields stay as they are, within `tuning` too. */
export async function updateAuthMount(
  db: Database,
  id: number,
  { tuning, ...changes }: { tuning?: AuthTuning; description?: string; config?: Record<string, unknown> },
): Promise<void> {
  const added = tuning ? { tuning: db.raw('tuning || ?::jsonb', [JSON.stringify(tuning)]) } : {};
  const all = { ...changes, ...added };
  if (Object.keys(all).length > 0) await db('auth_mounts').where({ id }).update(all);
}

/** Keeps the auth method from being disabled until the transaction ends. False: it is gone. */
export async function lockAuthMount(transaction: Database, id: number): Promise<boolean> {
  return (await transaction('auth_mounts').where({ id }).forKeyShare().first('id')) !== undefined;
}

/** The path of the tokens that log-ins at an auth method give. No other token has it. */
export function logInPath({ path }: Pick<AuthMount, 'path'>): string {
  return `auth/${path}/login`;
}

/**
 * Disables an auth method: ends the tokens that its log-ins gave, at most `limit` in one transaction, and deletes it with
 * its roles. The last transaction waits for log-ins in progress, so that no token outlives the method.
 */
export async function deleteAuthMount(db: Database, mount: AuthMount, limit: number): Promise<void> {
  const tokens = { namespace_id: mount.namespace_id, path: logInPath(mount) };
  await inBatches(
    (work) => transact(db, work),
    limit,
    (transaction) => {
      const some = transaction('tokens').where(tokens).orderBy('id').limit(limit).select('id');
      return transaction('tokens').whereIn('id', some).delete();
    },
  );
  await transact(db, async (transaction) => {
    const { id } = mount;
    const rows: unknown[] = await transaction('auth_mounts').where({ id }).forUpdate().select('id');
    if (rows.length === 0) return;
    await transaction('tokens').where(tokens).delete();
    await transaction('auth_mounts').where({ id }).delete();
  });
}
