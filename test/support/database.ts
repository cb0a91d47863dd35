import pg from 'pg';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { HOSTILE } from './hostile-settings.ts';
import { infrastructure } from './infrastructure.ts';

/** A test's own database. `drop` removes it and cuts connections that the test has left open. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

/** Settings that a new database carries, as they stand in SQL. */
export type Carried = { settings?: Record<string, string>; ofRole?: boolean };

let preparing: Promise<string> | undefined;
let count = 0;

/**
 * A new empty database with the newest schema, cloned from a template in milliseconds. `settings`: what the database
 * gives its sessions; with `ofRole`, what it gives those of the role.
 */
export async function createDatabase({ settings = {}, ofRole = false }: Carried = {}): Promise<TestDatabase> {
  preparing ??= prepareTemplate();
  const template = await preparing;
  count += 1;
  const name = `${template}_${count}`;
  // Half the work of a copy through the log. Every server of a test run has it: Postgres 15 or newer.
  await administer(`create database ${name} template ${template} strategy file_copy`);
  const carrier = ofRole ? `role current_user in database ${name}` : `database ${name}`;
  for (const [setting, value] of Object.entries({ ...carriedByAll(), ...settings }))
    await administer(`alter ${carrier} set ${setting} = ${value}`);
  return { url: urlOf(name), drop: () => drop(name) };
}

/** Removes all databases of this run, templates included, at the end of the run. */
export async function dropDatabases(): Promise<void> {
  const names = await administer<{ datname: string }>(
    `select datname from pg_database where datname like 'sealift_test_${infrastructure().run}_%'`,
  );
  for (const { datname } of names) await drop(datname);
}

// `TEST_HOSTILE=1 make test …` proves that tests do not depend on what a database carries.
function carriedByAll(): Record<string, string> {
  return process.env['TEST_HOSTILE'] ? HOSTILE : {};
}

// Each process of the run makes its own template.
async function prepareTemplate(): Promise<string> {
  const template = `sealift_test_${infrastructure().run}_${process.pid}`;
  await administer(`create database ${template}`);
  const database = connect({ url: urlOf(template), poolSize: 1, name: 'test-template' });
  try {
    await migrate(database);
  } finally {
    await database.destroy();
  }
  return template;
}

async function drop(name: string): Promise<void> {
  await administer(`drop database if exists ${name} with (force)`);
}

async function administer<Row extends object>(statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: infrastructure().databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(infrastructure().databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
