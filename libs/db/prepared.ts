import { createHash } from 'node:crypto';
import type { Knex } from 'knex';
import type { Database } from './connect.ts';

/** A value of a `?` in a prepared statement; JSON goes in as its text. */
export type Binding =
  | string
  | number
  | boolean
  | Date
  | Buffer
  | null
  | readonly (string | number | boolean | Date | Buffer | null)[];

// One entry for each text there is in the program.
const names = new Map<string, string>();

/** Values in the order of `?`, or by the name of `:name`. */
type Bindings = readonly Binding[] | Readonly<Record<string, Binding>>;

/**
 * Runs a statement that each connection parses once, and plans once where one plan fits all values; else Postgres does
 * both anew each time, which costs more than a look-up by a key itself. For frequent statements only, and only with a
 * constant text (every text stays with the connection) and columns by name (`*` fails once a migration has added one).
 */
export async function prepared<Row>(db: Database, sql: string, bindings: Bindings): Promise<Row[]> {
  const { rows } = await db
    .raw<{ rows: Row[] }>(sql, bindings as Knex.RawBinding[])
    .options({ name: nameOf(sql) });
  return rows;
}

// Made from the text, so that no name can ever stand for another statement.
function nameOf(sql: string): string {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('base64url');
  names.set(sql, name);
  return name;
}
