import type { Database } from '../../db/connect.ts';
import { sealedColumns } from './sealed-columns.ts';

/** The present master key: its ordinal number, when it began to seal, and how many values it wraps. */
export type MasterKeyStatus = { term: number; installedAt: Date; values: number };

/** Records when a master key began to seal. Call it while the installation's row is locked. */
export async function noteMasterKey(transaction: Database, id: Buffer): Promise<void> {
  await transaction.raw(
    `INSERT INTO master_keys (id, term) SELECT ?, coalesce(max(term), 0) + 1 FROM master_keys
     HAVING NOT bool_or(id = ?) IS TRUE`,
    [id, id],
  );
}

/**
 * Counts every sealed value, which takes a moment if there are many. Undefined for a key that has not sealed anything
 * yet.
 */
export async function readMasterKeyStatus(db: Database, id: Buffer): Promise<MasterKeyStatus | undefined> {
  const key = await findMasterKey(db, id);
  if (!key) return undefined;
  let values = 0;
  for (const { table, column } of sealedColumns) {
    const { rows } = await db.raw<{ rows: { count: number }[] }>(
      'SELECT count(*) AS count FROM ?? WHERE substring(?? FROM 2 FOR 8) = ?',
      [table, column, id],
    );
    values += rows[0]?.count ?? 0;
  }
  return { ...key, values };
}

/** The same without counting. */
export async function findMasterKey(
  db: Database,
  id: Buffer,
): Promise<Omit<MasterKeyStatus, 'values'> | undefined> {
  return db('master_keys').where({ id }).first({ term: 'term', installedAt: 'installed_at' });
}
