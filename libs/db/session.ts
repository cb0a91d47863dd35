import pg from 'pg';
import { schemaOf } from '../config/hosts.ts';
import { isSqlState } from './sql-state.ts';

/** In milliseconds; 0: no limit. `statementMs` is longer than the client itself waits, `lockMs` shorter. */
export type SessionLimits = { statementMs: number; lockMs: number; idleInTransactionMs: number };

/**
 * A role and a database can carry values for all of these, and so change what our statements mean, lose or cost. Memory,
 * costs by hardware, and where tables lie stay as the operator chose them.
 */
const PINNED = {
  // What a transaction sees, and whether its end is durable.
  default_transaction_isolation: 'read committed',
  default_transaction_deferrable: 'off',
  synchronous_commit: 'on',
  // What names and texts mean. Rows that a policy hides are an error instead of missing.
  client_encoding: 'UTF8',
  standard_conforming_strings: 'on',
  backslash_quote: 'safe_encoding',
  array_nulls: 'on',
  transform_null_equals: 'off',
  quote_all_identifiers: 'off',
  row_security: 'off',
  restrict_nonsystem_relation_kind: '',
  gin_fuzzy_search_limit: '0',
  check_function_bodies: 'on',
  session_replication_role: 'origin',
  // How values look.
  TimeZone: 'UTC',
  timezone_abbreviations: 'Default',
  DateStyle: 'ISO, MDY',
  IntervalStyle: 'postgres',
  bytea_output: 'hex',
  extra_float_digits: '1',
  xmlbinary: 'base64',
  xmloption: 'content',
  // How a session ends.
  exit_on_error: 'off',
  idle_session_timeout: '0',
  transaction_timeout: '0',
  // Plans. Compiling takes seconds for a statement whose rows are overestimated, and never saves as much here.
  jit: 'off',
  plan_cache_mode: 'auto',
  constraint_exclusion: 'partition',
  from_collapse_limit: '8',
  join_collapse_limit: '8',
  geqo: 'on',
  geqo_threshold: '12',
  enable_bitmapscan: 'on',
  enable_hashagg: 'on',
  enable_hashjoin: 'on',
  enable_indexonlyscan: 'on',
  enable_indexscan: 'on',
  enable_material: 'on',
  enable_mergejoin: 'on',
  enable_nestloop: 'on',
  enable_seqscan: 'on',
  enable_sort: 'on',
  enable_tidscan: 'on',
};

const INSUFFICIENT_PRIVILEGE = '42501';
const READ_ONLY = '25006';

/** Postgres accepts connections, but a session of ours cannot work there; `code` is an SQLSTATE. */
export class SessionRefusedError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.name = 'SessionRefusedError';
    this.code = code;
  }
}

/** A client whose session depends on nothing that its role or its database carries. */
export class SessionClient extends pg.Client {
  readonly #sql: string;

  /** `url` may name the schema of our tables, as `schemaOf` reads it. */
  constructor(url: string, config: Omit<pg.ClientConfig, 'connectionString'>, limits: SessionLimits) {
    super({ ...config, connectionString: url });
    this.#sql = beginSql(limits, searchPathOf(url));
  }

  /**
   * Pins the settings of the new session, in one message. Throws SessionRefusedError if the database is read-only: an
   * operator may stop all changes so, and a session keeps that default for ever.
   */
  async begin(): Promise<void> {
    try {
      const results = (await this.query(this.#sql)) as unknown as pg.QueryResult<Begun>[];
      const begun = results.at(-1)?.rows[0];
      if (begun?.readOnly !== 'on') return;
    } catch (error) {
      if (!isSqlState(error, INSUFFICIENT_PRIVILEGE)) throw error;
      throw new SessionRefusedError(
        INSUFFICIENT_PRIVILEGE,
        'the role or database carries a session_replication_role that the role may not change',
      );
    }
    throw new SessionRefusedError(READ_ONLY, 'Postgres is read-only: default_transaction_read_only is on');
  }
}

type Begun = { readOnly: string };

// A server that does not know a setting has no value to compare. Equal values stay: some settings are only for superusers.
// All names are qualified, because the search path is not ours yet. `remote_apply` waits for more than `on`.
function beginSql(limits: SessionLimits, searchPath: string): string {
  const { statementMs, lockMs, idleInTransactionMs } = limits;
  const settings = {
    ...PINNED,
    search_path: searchPath,
    statement_timeout: `${statementMs}`,
    lock_timeout: `${lockMs}`,
    idle_in_transaction_session_timeout: `${idleInTransactionMs}`,
  };
  const rows = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  return `SET statement_timeout TO 0;
SELECT pg_catalog.set_config(pinned.name, pinned.value, false) FROM (VALUES ${rows.join(', ')}) AS pinned (name, value)
WHERE pg_catalog.current_setting(pinned.name, true) OPERATOR(pg_catalog.<>) pinned.value
  AND NOT (pinned.name OPERATOR(pg_catalog.=) 'synchronous_commit'
    AND pg_catalog.current_setting('synchronous_commit') OPERATOR(pg_catalog.=) 'remote_apply');
SELECT pg_catalog.current_setting('default_transaction_read_only') AS "readOnly"`;
}

function searchPathOf(url: string): string {
  const schema = schemaOf(url);
  return schema === null ? '"$user", public' : `"${schema}"`;
}

// The session or its transaction is not what we take it for. A new session begins well, or says what is wrong.
const BAD_STATES = new Set([
  READ_ONLY,
  '25P02', // a transaction that failed is still open
  '25P03', // idle in a transaction for too long
  '26000', // a prepared statement that the session does not have
  '42P05', // a prepared statement that the session already has
  '0A000', // a prepared statement whose rows have changed their types
]);

/** Whether the error of a statement means that its session must not be used again. */
export function isBadSession(error: unknown): boolean {
  return isSqlState(error, ...BAD_STATES);
}
