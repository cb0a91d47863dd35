import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import { isSqlState, UNIQUE_VIOLATION } from '../../db/sql-state.ts';
import { transact } from '../../db/transact.ts';
import { badRequest } from '../../errors/request-error.ts';

/** What the tokens of a role are like. Times are in seconds, 0: as the auth method says. Policies are in lower case. */
export type TokenRules = {
  token_policies: string[];
  token_ttl: number;
  token_max_ttl: number;
  token_explicit_max_ttl: number;
  token_no_default_policy: boolean;
  token_bound_cidrs: string[];
  /** Stored and returned: there are no entities whose alias it would describe. */
  alias_metadata?: Record<string, string>;
};

/** A role of an auth method; `Rules` are those of its type beside those of tokens. `role_id`: only of AppRole. */
export type AuthRole<Rules = unknown> = {
  name: string;
  settings: TokenRules & Rules;
  role_id: string | null;
};

const ROLES = 'SELECT name, settings, role_id FROM auth_roles WHERE mount_id = ?';

/** Undefined if there is none. */
export async function findAuthRole<Rules>(
  db: Database,
  mountId: number,
  name: string,
): Promise<AuthRole<Rules> | undefined> {
  const [role] = await prepared<AuthRole<Rules>>(db, `${ROLES} AND name = ?`, [mountId, name]);
  return role;
}

/** The role of AppRole with a role id. */
export async function findRoleById<Rules>(
  db: Database,
  mountId: number,
  roleId: string,
): Promise<AuthRole<Rules> | undefined> {
  const [role] = await prepared<AuthRole<Rules>>(db, `${ROLES} AND role_id = ?`, [mountId, roleId]);
  return role;
}

/** Names, sorted. */
export async function listAuthRoles(db: Database, mountId: number): Promise<string[]> {
  return db('auth_roles').where({ mount_id: mountId }).orderBy('name').pluck('name');
}

/**
 * Writes a role based on what it is now; undefined for a new one. Writers of the same role wait for each other. Throws
 * 400 if another role has the role id.
 */
export async function writeAuthRole<Rules>(
  db: Database,
  key: { mountId: number; name: string },
  change: (before: AuthRole<Rules> | undefined) => Pick<AuthRole<Rules>, 'settings' | 'role_id'>,
): Promise<void> {
  const { mountId, name } = key;
  await transact(db, async (transaction) => {
    await transaction.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [
      `auth role ${mountId} ${name}`,
    ]);
    const { settings, role_id } = change(await findAuthRole<Rules>(transaction, mountId, name));
    const row = { settings: JSON.stringify(settings), role_id };
    await transaction('auth_roles')
      .insert({ mount_id: mountId, name, ...row })
      .onConflict(['mount_id', 'name'])
      .merge(row);
  }).catch((error: unknown) => {
    if (isSqlState(error, UNIQUE_VIOLATION)) throw badRequest('the role_id belongs to another role');
    throw error;
  });
}

/** Deletes a role with its secret ids. Its tokens stay, but cannot be renewed. False if there is none. */
export async function deleteAuthRole(db: Database, mountId: number, name: string): Promise<boolean> {
  return (await db('auth_roles').where({ mount_id: mountId, name }).delete()) > 0;
}
