import type { Database } from '../../db/connect.ts';
import { prepared } from '../../db/prepared.ts';
import type { Stamp } from '../../validation/preconditions.ts';

/**
 * One stored settings document: `attributes` are the set values; secrets are separate and sealed for `settings/{kind}`.
 */
export type SettingsRow = {
  kind: string;
  attributes: Record<string, unknown>;
  sealed: Buffer | null;
};

type Stamped = SettingsRow & Stamp;

/** Undefined if nothing was stored yet: the document has its defaults. */
export async function findSettings(db: Database, kind: string): Promise<Stamped | undefined> {
  const [row] = await prepared<Stamped>(
    db,
    'SELECT kind, attributes, sealed, revision, updated_at AS changed_at, changed_by FROM settings WHERE kind = ?',
    [kind],
  );
  return row;
}

/**
 * Stores a document if `over`, the revision it is based on, is still the present one (0: not stored yet). Otherwise
 * changes nothing and returns undefined. `author` is a display name.
 */
export async function storeSettings(
  db: Database,
  row: SettingsRow,
  { over, author }: { over: number; author: string | null },
): Promise<Stamp | undefined> {
  const attributes = JSON.stringify(row.attributes);
  if (over === 0) {
    const [inserted]: Stamp[] = await db('settings')
      .insert({ kind: row.kind, attributes, sealed: row.sealed, changed_by: author })
      .onConflict('kind')
      .ignore()
      .returning(['revision', 'updated_at AS changed_at', 'changed_by']);
    return inserted;
  }
  const [updated] = await prepared<Stamp>(
    db,
    `UPDATE settings SET attributes = ?, sealed = ?, revision = revision + 1, updated_at = now(), changed_by = ?
     WHERE kind = ? AND revision = ? RETURNING revision, updated_at AS changed_at, changed_by`,
    [attributes, row.sealed, author, row.kind, over],
  );
  return updated;
}
