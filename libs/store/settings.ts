import type { Database } from '../db/connect.ts';

/** One settings document as stored: what was set, the secrets apart and sealed for `settings/{kind}`. */
export type SettingsRow = {
  kind: string;
  attributes: Record<string, unknown>;
  sealed: Buffer | null;
  revision: number;
};

/** Undefined where nothing was ever stored: the document has its defaults. */
export async function findSettings(db: Database, kind: string): Promise<SettingsRow | undefined> {
  return db<SettingsRow>('settings').where({ kind }).first();
}

/** Stores a document over the revision it was made from (0: none yet); false, and nothing done, where that is not the present one. */
export async function storeSettings(db: Database, row: SettingsRow): Promise<boolean> {
  const values = { attributes: JSON.stringify(row.attributes), sealed: row.sealed };
  if (row.revision === 0) {
    const inserted = await db('settings')
      .insert({ kind: row.kind, ...values })
      .onConflict('kind')
      .ignore()
      .returning('kind');
    return inserted.length === 1;
  }
  const updated = await db('settings')
    .where({ kind: row.kind, revision: row.revision })
    .update({ ...values, revision: row.revision + 1, updated_at: db.fn.now() });
  return updated === 1;
}
