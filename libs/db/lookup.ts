import { createBatcher } from '../batching/batcher.ts';
import type { Database } from './connect.ts';
import { prepared } from './prepared.ts';

// Limits the size of one answer: a row may have a value of a megabyte.
const MOST_TOGETHER = 16;
// After this time the next statement starts anyway: a slow statement, or a connection to a vanished machine, delays
// nothing else.
const PATIENCE_MS = 100;

/**
 * Finds the row of a key; undefined if there is none. Never call it in a transaction: other callers' keys use the same
 * statement.
 */
export type Lookup<Key, Row> = (db: Database, key: Key) => Promise<Row | undefined>;

/**
 * A shared read by key: keys that arrive while a statement runs go together into the next one. A caller never gets a row
 * that was read before the call. An idle database answers at once; a busy one answers many calls with one statement.
 * `sql` selects rows for `key`; only the first row counts. `columns` gives the Postgres types of the key's columns. Text
 * must not contain NUL; canonical paths never do.
 */
export function createLookup<Key extends object, Row extends object>(
  columns: Record<keyof Key & string, string>,
  sql: string,
): Lookup<Key, Row> {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${String(type)}`);
  // The limit makes Postgres look up one key after the other: a plan that was made for few rows must also work for many.
  const statement = `SELECT key.at, found.*
    FROM json_to_recordset(?::json) AS key (at integer, ${typed.join(', ')})
    CROSS JOIN LATERAL (${sql} LIMIT 1) found`;

  const find = async (db: Database, keys: Key[]): Promise<(Row | undefined)[]> => {
    const numbered = keys.map((key, index) => ({ at: index, ...key }));
    const rows = await prepared<Row & { at: number }>(db, statement, [JSON.stringify(numbered, wellFormed)]);
    const found = new Map(rows.map(({ at, ...row }) => [at, row as unknown as Row]));
    return keys.map((_, index) => found.get(index));
  };

  const batchers = new WeakMap<Database, (key: Key) => Promise<Row | undefined>>();
  return (db, key) => {
    const ask =
      batchers.get(db) ??
      createBatcher((keys) => find(db, keys), { most: MOST_TOGETHER, patienceMs: PATIENCE_MS });
    batchers.set(db, ask);
    return ask(key);
  };
}

// An unpaired surrogate in one key would make Postgres refuse all keys.
function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
