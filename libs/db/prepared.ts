import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/** A value for a `?` in a prepared statement; JSON is passed as text. */
export type Binding =
  | string
  | number
  | boolean
  | Date
  | Buffer
  | null
  | readonly (string | number | boolean | Date | Buffer | null)[];

// One entry for each statement text of the program.
const names = new Map<string, string>();

/** Values in the order of `?`, or by the name of `:name`. */
type Bindings = readonly Binding[] | Readonly<Record<string, Binding>>;

/**
 * Runs a statement that each connection parses only once, and plans only once if one plan fits all values. Otherwise
 * Postgres does both at each call, which costs more than a look-up by key itself. Use it only for frequent statements
 * with a constant text (every text stays with the connection) and with named columns (`*` fails after a migration adds a
 * column).
 */
export async function prepared<Row>(db: Database, sql: string, bindings: Bindings): Promise<Row[]> {
  const { rows } = await db
    .raw<{ rows: Row[] }>(sql, bindings as Knex.RawBinding[])
    .options({ name: nameOf(sql) });
  return rows;
}

// Derived from the text, so that a name can never refer to another statement.
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}
