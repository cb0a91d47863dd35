import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';

/** One settings document as stored: what was set, the secrets apart and sealed for `settings/{kind}`. */
export type SettingsRow = {
  kind: string;
  attributes: Record<string, unknown>;
  sealed: Buffer | null;
  revision: number;
};

/** Undefined where nothing was ever stored: the document has its defaults. */
export async function findSettings(db: Database, kind: string): Promise<SettingsRow | undefined> {
  const [row] = await prepared<SettingsRow>(
    db,
    'SELECT kind, attributes, sealed, revision FROM settings WHERE kind = ?',
    [kind],
  );
  return row;
}

/** Stores a document over the revision it was made from (0: none yet); false, and nothing done, where that is not the present one. */
export async function storeSettings(db: Database, row: SettingsRow): Promise<boolean> {
  const attributes = JSON.stringify(row.attributes);
  if (row.revision === 0) {
    const inserted = await db('settings')
      .insert({ kind: row.kind, attributes, sealed: row.sealed })
      .onConflict('kind')
      .ignore()
      .returning('kind');
    return inserted.length === 1;
  }
  const updated = await prepared(
    db,
    `UPDATE settings SET attributes = ?, sealed = ?, revision = revision + 1, updated_at = now()
     WHERE kind = ? AND revision = ? RETURNING kind`,
    [attributes, row.sealed, row.kind, row.revision],
  );
  return updated.length === 1;
}
