import { NoPrimaryError } from './failover/no-primary-error.ts';
import { INSUFFICIENT_PRIVILEGE, isSqlState, TOO_MANY_CONNECTIONS } from './sql-state.ts';
import { namelessCode } from './nameless-errors.ts';
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
    'find out who made it read-only; end that with: ALTER DATABASE … RESET default_transaction_read_only, ALTER ROLE … RESET default_transaction_read_only; in this database, run SET default_transaction_read_only = off before it, or connect to another one',
  ],
  [
    '53100',
    'the disk of the database is full',
    'give the disk of Postgres more space; Sealift goes on by itself',
  ],
  ['53200', 'the database is out of memory', 'give Postgres more memory, or lower its work_mem'],
  [
    TOO_MANY_CONNECTIONS,
    'the database has too many connections already',
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
    '28P01',
    'the database refuses the user name or the password',
    'correct the user name and the password in DATABASE_URL, or set the password with: ALTER ROLE … PASSWORD',
  ],
  [
    '28',
    'the database refuses the log-in',
    'let the role log in (ALTER ROLE … LOGIN, or CREATE ROLE … LOGIN if there is none), and let a line of pg_hba.conf accept it from this host; the log of Postgres tells which it is',
  ],
  [
    '3D000',
    'the database that DATABASE_URL names does not exist',
    'create the database that DATABASE_URL names, then run: sealift migrate',
  ],
  [
    '3F000',
    'the schema of the tables does not exist',
    'create the schema that DATABASE_URL names (CREATE SCHEMA …), or let the role use it (GRANT USAGE ON SCHEMA …), then run: sealift migrate',
  ],
  [
    '42P01',
    'the database lacks a table of the service',
    'run: sealift migrate; if tables were removed, restore a backup; if they are in another schema, name it in DATABASE_URL',
  ],
  [
    '42501',
    'the database does not allow the service what it needs',
    'make the role of DATABASE_URL the owner of the schema and its tables, or grant it all on them; row-level security must be off',
  ],
];

// What the texts and places of a code have in common with no other; the first match counts.
const SPECIAL_ADVICE: [(error: unknown) => boolean, string][] = [
  [
    (error) => routineOf(error) === 'ClientAuthentication',
    'let a line of pg_hba.conf accept this host, the role and the database, then reload Postgres',
  ],
  [
    (error) => routineOf(error) === 'InitializeSessionUserId',
    'let the role log in: ALTER ROLE … LOGIN, or CREATE ROLE … LOGIN if there is none',
  ],
  [
    (error) => tableOf(error)?.startsWith('database ') ?? false,
    'let the role connect: GRANT CONNECT ON DATABASE … TO …',
  ],
  [
    (error) => tableOf(error)?.startsWith('schema ') ?? false,
    'let the role use the schema and create tables in it: GRANT USAGE, CREATE ON SCHEMA … TO …',
  ],
];

/** Null if the error is not about what Postgres can do now, but about the statement itself. */
export function describeRefusal(error: unknown): Refusal | null {
  const code = codeOf(error);
  const known = REFUSALS.find(([state]) => isState(code) && code.startsWith(state));
  if (known) {
    // Postgres checks more than the right to log in there, such as the number of connections.
    const special =
      known[0] === TOO_MANY_CONNECTIONS ? undefined : SPECIAL_ADVICE.find(([fits]) => fits(error));
    return { code, detail: known[1], advice: special?.[1] ?? known[2], object: tableOf(error) };
  }
  const tls = TLS_REFUSALS.find(([pattern]) => pattern.test(code));
  if (tls) return { code, detail: tls[1], advice: tls[2] };
  if (!isUnreachable(error)) return null;
  if (error instanceof NoPrimaryError)
    return { code, detail: 'the database accepts no changes', advice: 'add the primary to DATABASE_URL' };
  if (error instanceof Error && error.name === 'KnexTimeoutError') {
    const advice = 'raise DATABASE_POOL_SIZE, or look for slow statements in Postgres';
    return { code, detail: 'no connection to the database became free in time', advice };
  }
  return { code, detail: 'the database cannot be reached', advice: adviceOn(code) };
}

function adviceOn(code: string): string {
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'correct the host in DATABASE_URL: its name does not resolve';
  const start = 'start Postgres, and allow this host to reach the address in DATABASE_URL';
  return code === 'ECONNRESET'
    ? `${start}; look whether Postgres, and not another service, listens there`
    : start;
}

/** By the code of an error before the log-in. */
const TLS_REFUSALS: [RegExp, string, string][] = [
  [
    /^NO_TLS$/,
    'the database offers no TLS',
    'switch TLS on in Postgres (ssl = on), or remove sslmode from DATABASE_URL',
  ],
  [
    /^NO_POSTGRES$/,
    'what answers at the address of the database is not Postgres',
    'correct the host and the port in DATABASE_URL',
  ],
  [
    /CERT|SELF_SIGNED|ISSUER|LEAF_SIGNATURE|^ERR_(SSL|TLS)_|^EPROTO$/,
    "the database's certificate cannot be trusted",
    'set NODE_EXTRA_CA_CERTS to the file of the authority that signed it, or sslrootcert in DATABASE_URL; the certificate must name the host of DATABASE_URL and be valid now',
  ],
];

/** The refusal as one sentence for operators. */
export function sentenceOf({ detail, code, object }: Refusal): string {
  return `${detail}${object === undefined ? '' : `: ${object}`} (${code})`;
}

/** Postgres names a table whose use it refuses only in its text; puts it where the log and `describeRefusal` find it. */
export function nameRefusedTable(error: unknown): void {
  if (!isSqlState(error, INSUFFICIENT_PRIVILEGE)) return;
  const text = /^(?:permission denied for|must be owner of) (\w+) "?([\w$-]{1,63})"?$/.exec(
    (error as Error).message,
  );
  const name = text ? `${text[1]} ${text[2]}` : undefined;
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
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return code || namelessCode(error) || error.name;
}

// The function of Postgres that refused: unlike the text, it is in no other language.
function routineOf(error: unknown): unknown {
  return error instanceof Error && 'routine' in error ? error.routine : undefined;
}
