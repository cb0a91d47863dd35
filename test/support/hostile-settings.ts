const switches = (names: string, value: string): Record<string, string> =>
  Object.fromEntries(names.split(' ').map((name) => [name, value]));

/**
 * What a role or a database may carry for its sessions, each at a value that would change what statements mean, lose or
 * cost. `default_transaction_read_only` is not among them: an operator stops all changes with it.
 */
export const HOSTILE: Record<string, string> = {
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  synchronous_commit: 'off',
  statement_timeout: "'250ms'",
  lock_timeout: "'1ms'",
  idle_in_transaction_session_timeout: "'250ms'",
  idle_session_timeout: "'3s'",
  search_path: 'nowhere',
  client_encoding: 'latin1',
  standard_conforming_strings: 'off',
  backslash_quote: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  quote_all_identifiers: 'on',
  gin_fuzzy_search_limit: '1',
  check_function_bodies: 'off',
  session_replication_role: 'replica',
  timezone: "'Pacific/Kiritimati'",
  timezone_abbreviations: "'Australia'",
  datestyle: "'SQL, DMY'",
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-15',
  xmlbinary: 'hex',
  xmloption: 'document',
  exit_on_error: 'on',
  jit: 'on',
  ...switches('jit_above_cost jit_inline_above_cost jit_optimize_above_cost', '0'),
  plan_cache_mode: 'force_generic_plan',
  constraint_exclusion: 'on',
  ...switches('from_collapse_limit join_collapse_limit', '1'),
  geqo_threshold: '2',
  ...switches(
    'enable_bitmapscan enable_hashagg enable_hashjoin enable_indexonlyscan enable_indexscan enable_material ' +
      'enable_mergejoin enable_nestloop enable_seqscan enable_sort enable_tidscan',
    'off',
  ),
  work_mem: "'64kB'",
  temp_buffers: '100',
};
