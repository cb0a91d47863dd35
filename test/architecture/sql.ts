import type { Source } from './sources.ts';

// Code outside the product prepares and examines databases as it likes.
const HOMES = /^(?:libs\/(?:db|store)|deploy|test|bench)\//;
// Modules of libs/db that take SQL as text.
const TAKES_SQL = /^libs\/db\/(?:prepared|lookup)\.ts$/;
const RAW = /\.(?:raw|[a-z]+Raw)\s*[<(]/;
const STATEMENT = /['"`]\s*(?:SELECT|INSERT INTO|DELETE FROM|UPDATE \w+ SET|WITH \w+ AS)\b/;

/** The tables that the migrations make. */
export function findTables(sources: Source[]): string[] {
  const migrations = sources.filter(({ path }) => path.startsWith('libs/db/migrations/'));
  const made = /createTable\(\s*'(\w+)'|\bCREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\w+)/g;
  const names = migrations.flatMap(({ code }) =>
    [...code.matchAll(made)].map(([, first, second]) => first ?? second ?? ''),
  );
  return [...new Set(names)];
}

/** One sentence for each file that has SQL and is not below libs/store or libs/db. */
export function findSqlFaults(sources: Source[], tables: string[]): string[] {
  // A call with nothing but the name of a table, with or without an alias, as Knex takes it.
  const query = new RegExp(
    `(\\w+)(?:<[^()]*>)?\\(\\s*['"](?:${tables.join('|')})(?: as \\w+)?['"],?\\s*\\)`,
    'gi',
  );
  return sources
    .filter(({ path }) => !HOMES.test(path))
    .flatMap(({ path, code, imports }) => {
      const isQuery = [...code.matchAll(query)].some(([, callee]) => callee !== 'commandQueue');
      const takesSql = imports.some(({ file, isType }) => !isType && TAKES_SQL.test(file ?? ''));
      const hasSql = isQuery || takesSql || RAW.test(code) || STATEMENT.test(code);
      return hasSql ? [`${path} has SQL: that belongs in libs/store`] : [];
    });
}
