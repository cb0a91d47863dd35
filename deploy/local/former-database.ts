import pg from 'pg';
import { FIRST_FORMER_STEP, FormerSchemaError } from '../../libs/db/former-schema.ts';
import { LocalFailure } from './failure.ts';

/**
 * Throws LocalFailure, which says what to type, for a database of a version that this one cannot upgrade. Call it before
 * anything of that version is stopped: its API may still be needed to export the secrets.
 */
export async function refuseFormerDatabase(url: string, { isOwn }: { isOwn: boolean }): Promise<void> {
  if (!(await isFormer(url))) return;
  if (!isOwn) throw new LocalFailure(`This cannot start: ${new FormerSchemaError().message}.`);
  throw new LocalFailure(
    `The database in .local/ was made by a version before 0.2.0, and this version cannot upgrade it. To carry its secrets
over, first follow "From a version before 0.2.0" in docs/upgrade.md. To start with a new database, and keep the old one aside:

  make down && mv .local/postgres .local/postgres-before-0.2.0`,
  );
}

async function isFormer(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const there = await client.query(`SELECT to_regclass('schema_migrations') IS NOT NULL AS present`);
    if (!there.rows[0]?.present) return false;
    const { rowCount } = await client.query('SELECT FROM schema_migrations WHERE name = $1', [
      FIRST_FORMER_STEP,
    ]);
    return rowCount === 1;
  } finally {
    await client.end();
  }
}
