import { NoPrimaryError } from './failover/no-primary-error.ts';
import { INSUFFICIENT_PRIVILEGE, isSqlState } from './sql-state.ts';
import { isUnreachable } from './unreachable.ts';

/**
 * Why Postgres cannot do what we ask, for callers and operators; `code` is an SQLSTATE or the system's code. `object`: what
 * it is about, such as a table; for operators only.
 */
export type Refusal = { code: string; detail: string; advice: string; object?: string | undefined };

/** A right that the role of this process lacks; `table` names the tables and the rights. */
export class MissingRightError extends Error {
  readonly code = INSUFFICIENT_PRIVILEGE;
  readonly table: string;
  constructor(table: string) {
    super(`missing right: ${table}`);
    this.name = 'MissingRightError';
    this.table = table;
  }
}

/** By SQLSTATE or the beginning of one: what callers read, and what an operator may do. The first match counts. */
const REFUSALS: [string, string, string][] = [
  [
    '25006',
    'the database is read-only',
    'find out who made it read-only; end that with: ALTER DATABASE … RESET default_transaction_read_only, ALTER ROLE … RESET default_transaction_read_only',
  ],
  [
    '53100',
    'the disk of the database is full',
    'give the disk of Postgres more space; Sealift goes on by itself',
  ],
  ['53200', 'the database is out of memory', 'give Postgres more memory, or lower its work_mem'],
  [
    '53300',
    'the database has too few connections',
    "raise Postgres' max_connections or the role's CONNECTION LIMIT, or lower DATABASE_POOL_SIZE",
  ],
  ['53', 'the database has too few resources', 'see the log of Postgres for what it is short of'],
  ['57014', 'the database gave up a statement that took too long', 'look for slow statements in Postgres'],
  [
    '55P03',
    'another transaction locks what this request needs',
    'look for the transaction that holds the lock in pg_stat_activity and pg_locks',
  ],
  ['40', 'too many changes of the same rows at the same time', 'nothing; repeated requests succeed'],
  [
    '08P01',
    'the connection pooler before the database refuses the connection',
    "look at the pooler's log: it may be full, in statement mode, or refuse a parameter of DATABASE_URL (ignore_startup_parameters)",
  ],
  ['57P', 'the database is stopping or starting', 'wait until Postgres has started'],
  [
    '42501',
    'the database does not allow the service what it needs',
    'make the role of DATABASE_URL the owner of the schema and its tables, or grant it all on them; row-level security must be off',
  ],
];

/** Null if the error is not about what Postgres can do now, but about the statement itself. */
export function describeRefusal(error: unknown): Refusal | null {
  const code = codeOf(error);
  const known = REFUSALS.find(([state]) => isState(code) && code.startsWith(state));
  if (known) return { code, detail: known[1], advice: known[2], object: tableOf(error) };
  if (!isUnreachable(error)) return null;
  if (error instanceof NoPrimaryError)
    return { code, detail: 'the database accepts no changes', advice: 'add the primary to DATABASE_URL' };
  if (error instanceof Error && error.name === 'KnexTimeoutError') {
    const advice = 'raise DATABASE_POOL_SIZE, or look for slow statements in Postgres';
    return { code, detail: 'no connection to the database became free in time', advice };
  }
  const advice = 'start Postgres, and allow this host to reach the address in DATABASE_URL';
  return { code, detail: 'the database cannot be reached', advice };
}

/** The refusal as one sentence for operators. */
export function sentenceOf({ detail, code, object }: Refusal): string {
  return `${detail}${object === undefined ? '' : `: ${object}`} (${code})`;
}

/** Postgres names a table whose use it refuses only in its text; puts it where the log and `describeRefusal` find it. */
export function nameRefusedTable(error: unknown): void {
  if (!isSqlState(error, INSUFFICIENT_PRIVILEGE)) return;
  const name = /^permission denied for (\w+ [\w$]{1,63})$/.exec((error as Error).message)?.[1];
  if (name !== undefined) Object.assign(error as Error, { table: name });
}

function tableOf(error: unknown): string | undefined {
  if (!isSqlState(error, INSUFFICIENT_PRIVILEGE)) return undefined;
  const { table } = error as { table?: unknown };
  return typeof table === 'string' ? table : undefined;
}

function isState(code: string): boolean {
  return /^[0-9A-Z]{5}$/.test(code);
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
