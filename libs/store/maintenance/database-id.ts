import { createHash } from 'node:crypto';
import type { Database } from '../../db/connect.ts';
import { isSqlState, NOT_TOLD } from '../../db/sql-state.ts';

/**
 * Tells one database from all others, also from its own copy: a restored backup has the same installation, but is
 * another database. A standby has the same id, so it stays the same after a failover. 32 hexadecimal digits.
 */
export async function readDatabaseId(db: Database): Promise<string> {
  const { rows } = await db.raw<{ rows: { oid: string; schema: string }[] }>(
    'SELECT oid::text, current_schema() AS schema FROM pg_database WHERE datname = current_database()',
  );
  const identity = [await readSystem(db), rows[0]?.oid, rows[0]?.schema];
  return createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32);
}

async function readSystem(db: Database): Promise<string> {
  try {
    const { rows } = await db.raw<{ rows: { system: string }[] }>(
      'SELECT system_identifier::text AS system FROM pg_control_system()',
    );
    return rows[0]?.system ?? '';
  } catch (error) {
    if (!isSqlState(error, ...NOT_TOLD)) throw error;
    return '';
  }
}
