import type { Database } from './connect.ts';
import { migrations } from './migrations/index.ts';

// Any number that nobody else in the database uses.
const LOCK = 7_325_438;

/** Brings the schema up to date; several processes may call it at once, one does the work. A step is applied whole or not at all. */
export async function migrate(db: Database): Promise<string[]> {
  return db.transaction(async (transaction) => {
    await transaction.raw('SELECT pg_advisory_xact_lock(?)', [LOCK]);
    await transaction.raw(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const applied = await appliedNames(transaction);
    const due = migrations.filter((migration) => !applied.has(migration.name));
    for (const migration of due) {
      await transaction.raw(migration.sql);
      await transaction('schema_migrations').insert({ name: migration.name });
    }
    return due.map((migration) => migration.name);
  });
}

/** Null where the schema fits this process; else one sentence that says what to do. */
export async function schemaFault(db: Database): Promise<string | null> {
  const { rows } = await db.raw<{ rows: { present: boolean }[] }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS present",
  );
  if (!rows[0]?.present) return 'the database has no schema yet: run `sealift migrate`';
  const applied = await appliedNames(db);
  const known = new Set(migrations.map((migration) => migration.name));
  const missing = [...known].filter((name) => !applied.has(name));
  if (missing.length > 0) return `the schema lacks ${missing.join(', ')}: run \`sealift migrate\``;
  const newer = [...applied].filter((name) => !known.has(name));
  if (newer.length > 0) return `the schema is newer than this process (${newer.join(', ')}): upgrade it`;
  return null;
}

async function appliedNames(db: Database): Promise<Set<string>> {
  const rows: { name: string }[] = await db('schema_migrations').select('name');
  return new Set(rows.map((row) => row.name));
}
