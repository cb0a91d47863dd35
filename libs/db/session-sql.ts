import { schemaOf } from '../config/hosts.ts';

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

/** Values by the names of settings. */
export type Settings = Record<string, string>;

/** All that a session pins. */
export function sessionSettingsOf(limits: SessionLimits, searchPath: string): Settings {
  return {
    ...PINNED,
    search_path: searchPath,
    statement_timeout: `${limits.statementMs}`,
    lock_timeout: `${limits.lockMs}`,
    idle_in_transaction_session_timeout: `${limits.idleInTransactionMs}`,
  };
}

/** Begins a session. If it is not that of the process `processId`, a pooler lends it, and nothing stays behind. */
export function beginSessionSql(settings: Settings, processId: number): string {
  return `${FIRST};
${pinSql(settings, `pg_catalog.pg_backend_pid() OPERATOR(pg_catalog.<>) ${processId}`)};
SELECT ${IS_READ_ONLY} AS "readOnly", pg_catalog.pg_backend_pid() AS pid,
  pg_catalog.pg_is_in_recovery() AS "isStandby"`;
}

/** Begins a transaction in a session that a pooler lends for it. */
export function beginTransactionSql(settings: Settings): string {
  return `BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE NOT DEFERRABLE; ${FIRST}; ${pinSql(settings, 'true')};
SELECT pg_catalog.set_config('transaction_read_only', 'on', true) WHERE ${IS_READ_ONLY} OPERATOR(pg_catalog.=) 'on'`;
}

// First, because it needs no look-up in the catalog: a limit that the session carries has no time to strike.
const FIRST = 'SET LOCAL statement_timeout TO 0; SET LOCAL jit TO off';

// A server that does not know a setting has no value to compare. Equal values stay: some settings are only for superusers.
// All names are qualified, because the search path is not ours yet. `remote_apply` waits for more than `on`.
function pinSql(settings: Settings, isLocal: string): string {
  const rows = Object.entries(settings).map(([name, value]) => `('${name}', '${value}')`);
  return `SELECT pg_catalog.set_config(pinned.name, pinned.value, ${isLocal}) FROM (VALUES ${rows.join(', ')}) AS pinned (name, value)
WHERE (pg_catalog.current_setting(pinned.name, true) OPERATOR(pg_catalog.<>) pinned.value OR pinned.name IN ('statement_timeout', 'jit'))
  AND NOT (pinned.name OPERATOR(pg_catalog.=) 'synchronous_commit'
    AND pg_catalog.current_setting('synchronous_commit') OPERATOR(pg_catalog.=) 'remote_apply')`;
}

// A session of a pooler may be older than the end of a read-only phase, or older than its beginning: its own default
// counts only if it does not come from the role or the database, or if these still carry it.
const CARRIED = `EXISTS (SELECT FROM pg_catalog.pg_db_role_setting s, pg_catalog.unnest(s.setconfig) carried (setting)
  WHERE s.setdatabase IN (0, (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname OPERATOR(pg_catalog.=) pg_catalog.current_database()))
    AND s.setrole IN (0, (SELECT r.oid FROM pg_catalog.pg_roles r WHERE r.rolname OPERATOR(pg_catalog.=) session_user))
    AND carried.setting OPERATOR(pg_catalog.~~) 'default_transaction_read_only=%')`;
const IS_STALE = `EXISTS (SELECT FROM pg_catalog.pg_settings g WHERE g.name OPERATOR(pg_catalog.=) 'default_transaction_read_only'
  AND g.source IN ('database', 'user', 'database user')) AND NOT ${CARRIED}`;
const IS_READ_ONLY = `CASE WHEN pg_catalog.current_setting('default_transaction_read_only') OPERATOR(pg_catalog.=) 'on' AND NOT (${IS_STALE})
  THEN 'on' ELSE 'off' END`;

/** The schema that the URL names, or Postgres' own default. */
export function searchPathOf(url: string): string {
  const schema = schemaOf(url);
  return schema === null ? '"$user", public' : `"${schema}"`;
}

/** The URL without the options that name the schema: poolers refuse a connection with options. */
export function withoutSchema(url: string): string {
  if (schemaOf(url) === null) return url;
  return url.replace(/([?&])options=[^&]*(&?)/, (whole, before: string, after: string) =>
    decodeURIComponent(whole).trim().split(/\s+/).length > 2 ? whole : after && before,
  );
}
