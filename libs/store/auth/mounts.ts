import { randomBytes } from 'node:crypto';
import type { Database } from '../../db/connect.ts';
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
  /** Stored and returned, but not used: there is no replication and no second seal here. */
  local: boolean;
  seal_wrap: boolean;
  /** How the method verifies a log-in. */
  config: Record<string, unknown>;
};

/** The most segments of the path of an auth method. */
export const MOST_AUTH_SEGMENTS = 8;

const COLUMNS = 'id, namespace_id, path, type, accessor, uuid, description, tuning, local, seal_wrap, config';
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

export type NewAuthMount = Pick<
  AuthMount,
  'namespace_id' | 'path' | 'type' | 'description' | 'tuning' | 'local' | 'seal_wrap'
>;

/** Throws 400 if another auth method has the path, or one above or below it. */
export async function createAuthMount(db: Database, mount: NewAuthMount): Promise<void> {
  await transact(db, async (transaction) => {
    await lockLayout(transaction);
    await refuseTakenAuthPath(transaction, mount);
    const accessor = `auth_${mount.type}_${randomBytes(4).toString('hex')}`;
    await transaction('auth_mounts').insert({ ...mount, accessor });
  });
}

/** Throws 400 if an auth method other than the one with `id` has the path, or one above or below it. */
export async function refuseTakenAuthPath(
  db: Database,
  { namespace_id, path, id = 0 }: Pick<AuthMount, 'namespace_id' | 'path'> & { id?: number },
): Promise<void> {
  const inTheWay = await db<AuthMount>('auth_mounts')
    .where({ namespace_id })
    .whereNot({ id })
    .whereRaw("(path = ? OR starts_with(path, ?) OR starts_with(?, path || '/'))", [path, `${path}/`, path])
    .first();
  if (inTheWay) throw badRequest(`path is already in use at ${inTheWay.path}/`);
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

/** Keeps the auth method from being disabled or moved until the transaction ends. False: it is gone from its path. */
export async function lockAuthMount(
  transaction: Database,
  { id, path }: Pick<AuthMount, 'id' | 'path'>,
): Promise<boolean> {
  return (await transaction('auth_mounts').where({ id, path }).forKeyShare().first('id')) !== undefined;
}

/** The path of the tokens that log-ins at an auth method give. No other token has it. */
export function logInPath({ path }: Pick<AuthMount, 'path'>): string {
  return `auth/${path}/login`;
}
