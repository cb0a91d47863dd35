import pRetry from 'p-retry';
import type { Database } from './connect.ts';
import { migrations, type Migration } from './migrations/index.ts';
import { isSqlState, LOCK_NOT_AVAILABLE } from './sql-state.ts';
import { isDeadlock } from './transact.ts';

// Any number that nobody else in the database uses.
const LOCK = 7_325_438;
// A step that waits for a table makes everybody else wait behind it: it gives up soon and comes again.
const TABLE_WAIT = '2s';
const PAUSE_MS = 500;
const RETRIES = 29;

type Applied = { name: string; compatible: boolean };

/** The schema holds a step that processes of this version cannot work with; no waiting helps. */
export class NewerSchemaError extends Error {
  constructor(names: string[]) {
    super(`the schema is newer than this process can work with (${names.join(', ')}): upgrade the process`);
    this.name = 'NewerSchemaError';
  }
}

/**
 * Brings the schema up to date and returns the names of the steps applied. Several processes may call it at once: each
 * step is applied once, whole or not at all, and what was applied before a failure stays.
 */
export async function migrate(db: Database, steps: Migration[] = migrations): Promise<string[]> {
  await db.transaction(async (transaction) => {
    await takeLock(transaction);
    await transaction.raw(
      'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    await transaction.raw(
      'ALTER TABLE schema_migrations ADD COLUMN IF NOT EXISTS compatible boolean NOT NULL DEFAULT false',
    );
  });
  const done: string[] = [];
  for (;;) {
    const name = await pRetry(() => applyNext(db, steps), {
      retries: RETRIES,
      minTimeout: PAUSE_MS,
      factor: 1,
      // A step that takes several tables may meet a transaction that takes them in another order.
      shouldRetry: ({ error }) => isSqlState(error, LOCK_NOT_AVAILABLE) || isDeadlock(error),
    });
    if (name === null) return done;
    done.push(name);
  }
}

/**
 * Null where the schema fits this process; one sentence where `sealift migrate` has yet to run. Steps this process does
 * not know do no harm where they say that older processes can work with them; else it throws NewerSchemaError.
 */
export async function schemaFault(db: Database, steps: Migration[] = migrations): Promise<string | null> {
  const { rows } = await db.raw<{ rows: { present: boolean }[] }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS present",
  );
  if (!rows[0]?.present) return 'the database has no schema yet: run `sealift migrate`';
  const applied = await findApplied(db);
  const known = new Set(steps.map((step) => step.name));
  const newer = applied.filter(({ name, compatible }) => !known.has(name) && !compatible);
  if (newer.length > 0) throw new NewerSchemaError(newer.map(({ name }) => name));
  const there = new Set(applied.map(({ name }) => name));
  const missing = [...known].filter((name) => !there.has(name));
  if (missing.length > 0) return `the schema lacks ${missing.join(', ')}: run \`sealift migrate\``;
  return null;
}

// One step in a transaction of its own, so that its locks on tables end with it; null where nothing is left to do.
async function applyNext(db: Database, steps: Migration[]): Promise<string | null> {
  return db.transaction(async (transaction) => {
    await takeLock(transaction);
    const there = new Set((await findApplied(transaction)).map(({ name }) => name));
    const step = steps.find(({ name }) => !there.has(name));
    if (!step) return null;
    await transaction.raw(`SET LOCAL lock_timeout = '${TABLE_WAIT}'`);
    await transaction.raw(step.sql);
    await transaction('schema_migrations').insert({ name: step.name, compatible: step.compatible ?? false });
    return step.name;
  });
}

async function takeLock(transaction: Database): Promise<void> {
  await transaction.raw('SELECT pg_advisory_xact_lock(?)', [LOCK]);
}

// The column came later than the table: a schema without it knows no compatible step.
async function findApplied(db: Database): Promise<Applied[]> {
  const rows: { name: string; compatible?: boolean }[] = await db('schema_migrations').select('*');
  return rows.map(({ name, compatible }) => ({ name, compatible: compatible === true }));
}
