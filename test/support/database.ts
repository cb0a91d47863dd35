import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { connect } from '../../libs/db/connect.ts';
import { migrate } from '../../libs/db/migrate.ts';
import { infrastructure } from './infrastructure.ts';

/** A database of one test: `drop` removes it, cutting connections a test has forgotten. */
export interface TestDatabase {
  readonly url: string;
  drop(): Promise<void>;
}

const run = randomBytes(4).toString('hex');
const template = `sealift_template_${run}`;
const databases = new Set<string>();
let preparing: Promise<void> | undefined;
let count = 0;

/** A new database with the schema of the newest migration and nothing in it, cloned from a template in milliseconds. */
export async function createDatabase(): Promise<TestDatabase> {
  preparing ??= prepareTemplate();
  await preparing;
  count += 1;
  const name = `sealift_test_${run}_${count}`;
  databases.add(name);
  await administer(`create database ${name} template ${template}`);
  return { url: urlOf(name), drop: () => drop(name) };
}

/** Removes every database of this run, the template as well; for the end of the run. */
export async function dropDatabases(): Promise<void> {
  if (!preparing) return;
  await preparing.catch(() => undefined);
  for (const name of [...databases, template]) await drop(name);
}

async function prepareTemplate(): Promise<void> {
  await administer(`create database ${template}`);
  const database = connect({ url: urlOf(template), poolSize: 1, name: 'test-template' });
  try {
    await migrate(database);
  } finally {
    await database.destroy();
  }
}

async function drop(name: string): Promise<void> {
  databases.delete(name);
  await administer(`drop database if exists ${name} with (force)`);
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: infrastructure().databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

function urlOf(name: string): string {
  const url = new URL(infrastructure().databaseUrl);
  url.pathname = `/${name}`;
  return url.href;
}
