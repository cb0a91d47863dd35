import pg from 'pg';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { infrastructure } from './infrastructure.ts';

/** A database of one test: `drop` removes it, cutting connections a test has forgotten. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

let preparing: Promise<string> | undefined;
let count = 0;

/** A new database with the schema of the newest migration and nothing in it, cloned from a template in milliseconds. */
export async function createDatabase(): Promise<TestDatabase> {
  preparing ??= prepareTemplate();
  const template = await preparing;
  count += 1;
  const name = `${template}_${count}`;
  await administer(`create database ${name} template ${template}`);
  return { url: urlOf(name), drop: () => drop(name) };
}

/** Removes every database of this run, the templates as well; for the end of the run. */
export async function dropDatabases(): Promise<void> {
  const names = await administer<{ datname: string }>(
    `select datname from pg_database where datname like 'sealift_test_${infrastructure().run}_%'`,
  );
  for (const { datname } of names) await drop(datname);
}

// One in each of the processes that share a run.
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
