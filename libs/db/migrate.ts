import pRetry from 'p-retry';
import type { Database } from './connect.ts';
import { migrations } from './migrations/index.ts';
import type { Migration } from './migrations/migration.ts';
import { isSqlState, LOCK_NOT_AVAILABLE } from './sql-state.ts';
import { isConflict } from './conflicts.ts';
import { FIRST_FORMER_STEP, FormerSchemaError } from './former-schema.ts';

// Any number that no other lock in the database uses.
const LOCK = 7_325_438;
// While a step waits for a table lock, all other statements on the table wait behind it. So it gives up soon and is
// retried.
const TABLE_WAIT = '2s';
const PAUSE_MS = 500;
const RETRIES = 29;

type Applied = { name: string; compatible: boolean };

/** The schema has a step that processes of this version cannot work with; waiting does not help. */
export class NewerSchemaError extends Error {
  constructor(names: string[]) {
    super(`the schema is newer than this process can work with (${names.join(', ')}): upgrade the process`);
    this.name = 'NewerSchemaError';
  }
}

/**
 * Brings the schema up to date. Returns the names of the applied steps. Several processes may call it at once: each step
 * is applied once, completely or not at all. Steps before a failure stay applied. Throws FormerSchemaError, with nothing
 * changed, for a schema that no step can bring up to date.
 */
export async function migrate(db: Database, steps: Migration[] = migrations): Promise<string[]> {
  await db.transaction(async (transaction) => {
    await takeLock(transaction);
    // A role that may only use the tables can find them up to date.
    if (await hasSteps(transaction)) return refuseFormer(await findApplied(transaction));
    await transaction.raw(
      `CREATE TABLE schema_migrations (name text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now(),
         compatible boolean NOT NULL DEFAULT false)`,
    );
  });
  const done: string[] = [];
  for (;;) {
    const name = await pRetry(() => applyNext(db, steps), {
      retries: RETRIES,
      minTimeout: PAUSE_MS,
      factor: 1,
      // A step that locks several tables may deadlock with a transaction that locks them in another order.
      shouldRetry: ({ error }) => isSqlState(error, LOCK_NOT_AVAILABLE) || isConflict(error),
    });
    if (name === null) return done;
    done.push(name);
  }
}

/**
 * Null if the schema fits this process; one sentence if `sealift migrate` must still run. Steps that this process does
 * not know are harmless if they are marked as compatible. Otherwise it throws NewerSchemaError, or FormerSchemaError.
 */
export async function schemaFault(db: Database, steps: Migration[] = migrations): Promise<string | null> {
  if (!(await hasSteps(db))) return 'the database has no schema yet: run `sealift migrate`';
  const applied = await findApplied(db);
  refuseFormer(applied);
  const known = new Set(steps.map((step) => step.name));
  const newer = applied.filter(({ name, compatible }) => !known.has(name) && !compatible);
  if (newer.length > 0) throw new NewerSchemaError(newer.map(({ name }) => name));
  const there = new Set(applied.map(({ name }) => name));
  const missing = [...known].filter((name) => !there.has(name));
  if (missing.length > 0) return `the schema lacks ${missing.join(', ')}: run \`sealift migrate\``;
  return null;
}

// Applies one step in its own transaction, which releases the step's table locks at its end; null if no step is left.
async function applyNext(db: Database, steps: Migration[]): Promise<string | null> {
  return db.transaction(async (transaction) => {
    await takeLock(transaction);
    const there = new Set((await findApplied(transaction)).map(({ name }) => name));
    const step = steps.find(({ name }) => !there.has(name));
    if (!step) return null;
    await transaction.raw(`SET LOCAL lock_timeout = '${TABLE_WAIT}'`);
    // Knex takes every question mark for a parameter, also one of a regular expression.
    await transaction.raw(step.sql.replaceAll('?', '\\?'));
    await transaction('schema_migrations').insert({ name: step.name, compatible: step.compatible ?? false });
    return step.name;
  });
}

async function hasSteps(db: Database): Promise<boolean> {
  const { rows } = await db.raw<{ rows: { present: boolean }[] }>(
    "SELECT to_regclass('schema_migrations') IS NOT NULL AS present",
  );
  return rows[0]?.present === true;
}

function refuseFormer(applied: Applied[]): void {
  if (applied.some(({ name }) => name === FIRST_FORMER_STEP)) throw new FormerSchemaError();
}

async function takeLock(transaction: Database): Promise<void> {
  await transaction.raw('SELECT pg_advisory_xact_lock(?)', [LOCK]);
}

// Reads all columns, because the oldest schemas do not have \`compatible\`.
async function findApplied(db: Database): Promise<Applied[]> {
  const rows: { name: string; compatible?: boolean }[] = await db('schema_migrations').select('*');
  return rows.map(({ name, compatible }) => ({ name, compatible: compatible === true }));
}
