import type { Database } from '../../db/connect.ts';

/** A table that is kept in partitions, which are ranges of ids; see the migration `018-partitions`. */
export type PartitionedTable = 'sync_history' | 'audit_events';

/** Times of the first and the last row of a partition; `drawn`: how many ids lie between them. */
type Span = { from: Date; to: Date; drawn: number };

// Others wait for the table as long as this transaction does.
const LOCK_WAIT = '200ms';

// Below this, rows are deleted singly: an index look-up in each partition would cost more than it saves.
const LEAST_IDS = 250_000;

// Rows that are written at once, or by a job for its own time, may be out of order.
const DISORDER_MS = 60 * 60 * 1000;

/**
 * The partitions that get no more rows, oldest first, and the one that gets them now. Empty and null if the role does not own
 * the table: it can then neither start nor drop a partition.
 */
export async function findPartitions(
  db: Database,
  table: PartitionedTable,
): Promise<{ closed: string[]; current: string | null; last: string | null }> {
  const { rows } = await db.raw<{ rows: { name: string }[] }>(
    `SELECT c.relname AS name FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = ?::regclass AND pg_has_role(c.relowner, 'USAGE')
       AND has_schema_privilege(c.relnamespace, 'CREATE')
     ORDER BY substring(c.relname FROM '[0-9]+$')::bigint`,
    [table],
  );
  const names = rows.map(({ name }) => name);
  return { closed: names.slice(0, -2), current: names.at(-2) ?? null, last: names.at(-1) ?? null };
}

/**
 * Whether a new partition is due: the current one spans the time in milliseconds, and has enough rows to be worth it; or
 * nobody has started one for so long that rows have come into the last one.
 */
export async function isPartitionDue(
  db: Database,
  table: PartitionedTable,
  { now, spanMs }: { now: Date; spanMs: number },
): Promise<boolean> {
  const { current, last } = await findPartitions(db, table);
  if (!current || !last) return false;
  if (await spanOf(db, last)) return true;
  const span = await spanOf(db, current);
  return span !== null && span.drawn >= LEAST_IDS && now.getTime() - span.from.getTime() >= spanMs;
}

/** Lets new rows go to a new partition. Throws LOCK_NOT_AVAILABLE if the table is in use: nobody waits longer for this than a moment. */
export async function startPartition(transaction: Database, table: PartitionedTable): Promise<void> {
  await transaction.raw(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
  await transaction.raw('SELECT start_partition(?)', [table]);
}

/** The closed partitions without a row from `before` or later, oldest first. */
export async function findOldPartitions(
  db: Database,
  table: PartitionedTable,
  before: Date,
): Promise<string[]> {
  const { closed } = await findPartitions(db, table);
  const old: string[] = [];
  for (const name of closed) {
    const span = await spanOf(db, name);
    if (span && span.to.getTime() >= before.getTime() - DISORDER_MS) break;
    old.push(name);
  }
  return old;
}

/** Drops a partition with all its rows. Throws LOCK_NOT_AVAILABLE as `startPartition` does. */
export async function dropPartition(transaction: Database, name: string): Promise<void> {
  await transaction.raw(`SET LOCAL lock_timeout = '${LOCK_WAIT}'`);
  await transaction.raw('DROP TABLE ??', [name]);
}

/**
 * Of the `limit` oldest rows, the ids of those from before a time. Rows arrive in order of time: a condition on it would make
 * Postgres read and sort all old ones for each batch. A statement with the ids themselves looks into their partitions only.
 */
export async function findOldIds(
  db: Database,
  table: PartitionedTable,
  { before, limit }: { before: Date; limit: number },
): Promise<number[]> {
  const oldest: { id: number; at: Date }[] = await db(table).orderBy('id').limit(limit).select('id', 'at');
  return oldest.filter(({ at }) => at < before).map(({ id }) => id);
}

// Null for an empty one.
async function spanOf(db: Database, name: string): Promise<Span | null> {
  const { rows } = await db.raw<{ rows: Span[] }>(
    `SELECT f.at AS "from", t.at AS "to", t.id - f.id AS drawn
     FROM (SELECT id, at FROM ?? ORDER BY id LIMIT 1) f, (SELECT id, at FROM ?? ORDER BY id DESC LIMIT 1) t`,
    [name, name],
  );
  return rows[0] ?? null;
}
