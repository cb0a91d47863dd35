import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPostgres } from '../../deploy/local/binaries.ts';
import { createDatabase, type TestDatabase } from './database.ts';

/** Writes a backup of a database to a file, as docs/backup.md does. */
export async function dumpDatabase(url: string, file: string): Promise<void> {
  await runPostgres('pg_dump', ['--format=custom', '--file', file, url]);
}

/** A new database with what such a file holds. */
export async function restoreDatabase(file: string): Promise<TestDatabase> {
  const database = await createDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  await client.end();
  await runPostgres('pg_restore', ['--no-owner', '--exit-on-error', '--dbname', database.url, file]);
  return database;
}

async function runPostgres(program: string, options: string[]): Promise<void> {
  await promisify(execFile)(join(findPostgres() ?? '/usr/bin', program), options, { timeout: 60_000 });
}
