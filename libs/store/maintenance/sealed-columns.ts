import type { Database } from '../../db/connect.ts';

type Key = Record<string, string | number | boolean>;

/** A column of sealed values, the primary key of its table, and the identity that each value is sealed for. */
export type SealedColumn = { table: string; column: string; key: string[]; identity: (key: Key) => string };

/** One sealed value with the primary key of its row. */
export type SealedRow = { key: Key; identity: string; sealed: Buffer };

/**
 * Every column with sealed values. Add each new one here: otherwise its values are lost after a change of the master key.
 */
export const sealedColumns: SealedColumn[] = [
  {
    table: 'installation',
    column: 'sealed_hash_key',
    key: ['only_one'],
    identity: () => 'installation/hash_key',
  },
  {
    table: 'secret_versions',
    column: 'sealed',
    key: ['secret_id', 'version'],
    identity: (key) => `secret_versions/${String(key['secret_id'])}/${String(key['version'])}`,
  },
  {
    table: 'destinations',
    column: 'sealed_settings',
    key: ['id'],
    identity: (key) => `destinations/${String(key['id'])}`,
  },
  {
    table: 'settings',
    column: 'sealed',
    key: ['kind'],
    identity: (key) => `settings/${String(key['kind'])}`,
  },
  {
    table: 'oidc_keys',
    column: 'sealed_private_jwk',
    key: ['kid'],
    identity: (key) => `oidc_keys/${String(key['kid'])}`,
  },
  {
    table: 'wrapped_responses',
    column: 'sealed',
    key: ['token_accessor'],
    identity: (key) => `wrapped_responses/${String(key['token_accessor'])}`,
  },
  {
    table: 'cubbyhole',
    column: 'sealed',
    key: ['token_id', 'path'],
    identity: (key) => `cubbyhole/${String(key['token_id'])}/${String(key['path'])}`,
  },
  {
    table: 'alert_rules',
    column: 'sealed',
    key: ['id'],
    identity: (key) => `alert_rules/${String(key['id'])}`,
  },
  {
    table: 'github_apps',
    column: 'sealed_private_key',
    key: ['namespace_id', 'name'],
    identity: (key) => `github_apps/${String(key['namespace_id'])}/${String(key['name'])}`,
  },
  {
    table: 'auth_mounts',
    column: 'sealed_token_reviewer',
    key: ['id'],
    identity: (key) => `auth_mounts/${String(key['id'])}`,
  },
];

/** The next rows, ordered by key, whose value is wrapped with a master key other than `notBy`. */
export async function findSealed(
  db: Database,
  { table, column, key, identity }: SealedColumn,
  options: { notBy: Buffer; after: Key | undefined; limit: number },
): Promise<SealedRow[]> {
  const query = db(table)
    .whereNotNull(column)
    // The first byte is the format version; the id of the master key follows.
    .whereRaw('substring(?? FROM 2 FOR 8) <> ?', [column, options.notBy])
    .orderBy(key)
    .limit(options.limit)
    .select<Record<string, unknown>[]>([...key, column]);
  const { after } = options;
  if (after) {
    void query.whereRaw(`(${key.map(() => '??').join(', ')}) > (${key.map(() => '?').join(', ')})`, [
      ...key,
      ...key.map((name) => after[name] ?? null),
    ]);
  }
  const rows = await query;
  return rows.map((row) => {
    const keyColumns = Object.fromEntries(key.map((name) => [name, row[name] as string | number | boolean]));
    return { key: keyColumns, identity: identity(keyColumns), sealed: row[column] as Buffer };
  });
}

/** Replaces the wrapping of a value; 0 if the value was changed meanwhile. */
export async function replaceSealed(
  transaction: Database,
  { table, column }: SealedColumn,
  row: SealedRow,
  sealed: Buffer,
): Promise<number> {
  return transaction(table)
    .where({ ...row.key, [column]: row.sealed })
    .update({ [column]: sealed });
}
