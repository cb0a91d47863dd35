import type { Database } from '../../db/connect.ts';
import { transact } from '../../db/transact.ts';

/** Rules for tokens that are created with a role. Times are in seconds, 0 for none; policy names are in lower case. */
export type TokenRoleSettings = {
  allowed_policies: string[];
  allowed_policies_glob: string[];
  disallowed_policies: string[];
  disallowed_policies_glob: string[];
  orphan: boolean;
  renewable: boolean;
  path_suffix: string;
  token_explicit_max_ttl: number;
  token_period: number;
  token_bound_cidrs: string[];
  token_no_default_policy: boolean;
  /** 0: any number. */
  token_num_uses: number;
  token_type: 'service' | 'default-service';
};

/** Undefined if there is none. */
export async function findTokenRole(
  db: Database,
  namespaceId: string,
  name: string,
): Promise<TokenRoleSettings | undefined> {
  const row: { settings: TokenRoleSettings } | undefined = await db('token_roles')
    .where({ namespace_id: namespaceId, name })
    .first('settings');
  return row?.settings;
}

/** Names, sorted. */
export async function listTokenRoles(db: Database, namespaceId: string): Promise<string[]> {
  const rows: { name: string }[] = await db('token_roles')
    .where({ namespace_id: namespaceId })
    .orderBy('name')
    .select('name');
  return rows.map((row) => row.name);
}

/** Writes a role based on its present settings; undefined for a new one. Writers of the same role wait for each other. */
export async function writeTokenRole(
  db: Database,
  role: { namespaceId: string; name: string },
  change: (before: TokenRoleSettings | undefined) => TokenRoleSettings,
): Promise<void> {
  const key = { namespace_id: role.namespaceId, name: role.name };
  await transact(db, async (transaction) => {
    await transaction.raw('SELECT pg_advisory_xact_lock(hashtextextended(?, 0))', [
      `token role ${role.namespaceId} ${role.name}`,
    ]);
    const settings = JSON.stringify(change(await findTokenRole(transaction, role.namespaceId, role.name)));
    const row = { settings, updated_at: transaction.fn.now() };
    await transaction('token_roles')
      .insert({ ...key, ...row })
      .onConflict(['namespace_id', 'name'])
      .merge(row);
  });
}

/** Deletes a role and returns its settings, if there is one. Tokens that were created with it stay. */
export async function deleteTokenRole(
  db: Database,
  namespaceId: string,
  name: string,
): Promise<TokenRoleSettings | undefined> {
  const rows: { settings: TokenRoleSettings }[] = await db('token_roles')
    .where({ namespace_id: namespaceId, name })
    .delete()
    .returning('settings');
  return rows[0]?.settings;
}
