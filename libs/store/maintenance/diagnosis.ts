import type { Keyring } from '../../crypto/keyring.ts';
import { unseal, UnsealError } from '../../crypto/seal.ts';
import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../not-deleted.ts';

/** The server's version, and its clock in milliseconds since 1970. */
export async function readServer(db: Database): Promise<{ version: string; now: number }> {
  const { rows } = await db.raw<{ rows: { version: string; now: Date }[] }>(
    "SELECT current_setting('server_version') AS version, clock_timestamp() AS now",
  );
  const [row] = rows;
  if (!row) throw new Error('Postgres returned no version');
  return { version: row.version, now: row.now.getTime() };
}

/** The schema of new tables, null if it does not exist or the role may not use it; and whether the role may create tables. */
export async function readSchemaRight(
  db: Database,
): Promise<{ schema: string | null; mayCreate: boolean | null }> {
  const { rows } = await db.raw<{ rows: { schema: string | null; mayCreate: boolean | null }[] }>(
    `SELECT current_schema() AS schema, has_schema_privilege(current_schema()::text, 'CREATE') AS "mayCreate"`,
  );
  return rows[0] ?? { schema: null, mayCreate: null };
}

/** Whether a keyring opens what this installation has sealed; null if nothing was sealed yet. Changes nothing. */
export async function opensInstallation(db: Database, keyring: Keyring): Promise<boolean | null> {
  const row: { sealed_hash_key: Buffer | null } | undefined =
    await db('installation').first('sealed_hash_key');
  if (!row?.sealed_hash_key) return null;
  try {
    unseal(keyring, row.sealed_hash_key, 'installation/hash_key');
    return true;
  } catch (error) {
    if (error instanceof UnsealError) return false;
    throw error;
  }
}

/** The number of destinations of each type that has any, over all namespaces. */
export async function countDestinationsByType(db: Database): Promise<Map<string, number>> {
  const { rows } = await db.raw<{ rows: { type: string; count: number }[] }>(
    `SELECT type, count(*) AS count FROM destinations d WHERE ${NOT_DELETED} GROUP BY type ORDER BY type`,
  );
  return new Map(rows.map(({ type, count }) => [type, count]));
}
