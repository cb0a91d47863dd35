import { createBatcher } from '../batching/batcher.ts';
import type { Database } from './connect.ts';
import { prepared } from './prepared.ts';

// A bound for what one answer holds: a row may have a value of a megabyte.
const MOST_TOGETHER = 16;
// One slow statement, or a connection to a machine that vanished, holds up nobody else.
const PATIENCE_MS = 100;

/** Finds the row of a key; undefined where there is none. Never in a transaction: others' keys go along. */
export type Lookup<Key, Row> = (db: Database, key: Key) => Promise<Row | undefined>;

/**
 * A read by key that callers share: keys that come while a statement is under way go together in the next one. Nobody
 * gets what was read before he asked, an idle database answers at once, and a busy one answers many with the work of one.
 * `sql` selects rows for `key`, of which the first counts; the key's columns have the given types of Postgres. Text must be without NUL, as
 * canonical paths are.
 */
export function createLookup<Key extends object, Row extends object>(
  columns: Record<keyof Key & string, string>,
  sql: string,
): Lookup<Key, Row> {
  const typed = Object.entries(columns).map(([name, type]) => `"${name}" ${String(type)}`);
  // The limit has Postgres look for one key after the other: a plan that was made for few rows must do for many.
  const statement = `SELECT key.at, found.*
    FROM json_to_recordset(?::json) AS key (at integer, ${typed.join(', ')})
    CROSS JOIN LATERAL (${sql} LIMIT 1) found`;

  const find = async (db: Database, keys: Key[]): Promise<(Row | undefined)[]> => {
    const asked = keys.map((key, at) => ({ at, ...key }));
    const rows = await prepared<Row & { at: number }>(db, statement, [JSON.stringify(asked, wellFormed)]);
    const found = new Map(rows.map(({ at, ...row }) => [at, row as unknown as Row]));
    return keys.map((_, at) => found.get(at));
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

// Half a character in one key would make Postgres refuse all of them.
function wellFormed(_name: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}
