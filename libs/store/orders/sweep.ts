import type { Database } from '../../db/connect.ts';
import { NOT_DELETED } from '../destinations/delete.ts';

/** Destinations of a type with due work that may be claimed now; ordered by nothing, since every one gets its own lane. */
export async function findDueDestinations(db: Database, type: string): Promise<number[]> {
  const { rows } = await db.raw<{ rows: { id: number }[] }>(
    // The order has Postgres take the first of the index: where many were due a moment ago, it would rather read the table.
    `SELECT d.id FROM destinations d
     CROSS JOIN LATERAL (
       SELECT a.id FROM associations a WHERE a.destination_id = d.id AND a.due_at <= now()
       ORDER BY a.due_at LIMIT 1
     ) due
     WHERE d.type = ? AND (d.throttled_until IS NULL OR d.throttled_until <= now())
       AND (d.probe_at IS NULL OR d.probe_at <= now()) AND d.rollout_after IS NULL AND ${NOT_DELETED}
       AND NOT (SELECT disabled FROM sync_config)`,
    [type],
  );
  return rows.map((row) => row.id);
}

/**
 * Milliseconds until something of a type becomes due that is not due yet (a retry, the end of a throttle, a version
 * that expires); null where nothing is foreseen.
 */
export async function millisecondsToNextDue(db: Database, type: string): Promise<number | null> {
  const { rows } = await db.raw<{ rows: { ms: number | null }[] }>(
    `SELECT (extract(epoch FROM min(greatest(next.due_at, d.throttled_until, d.probe_at)) - now()) * 1000)::float8 AS ms
     FROM destinations d
     CROSS JOIN LATERAL (
       SELECT a.due_at FROM associations a WHERE a.destination_id = d.id AND a.due_at IS NOT NULL
       ORDER BY a.due_at LIMIT 1
     ) next
     WHERE d.type = ? AND ${NOT_DELETED} AND greatest(next.due_at, d.throttled_until, d.probe_at) > now()`,
    [type],
  );
  return rows[0]?.ms ?? null;
}

/** Whether what was claimed of a destination may be pushed still: it is there, and syncing is not disabled. */
export async function mayStillPush(db: Database, destinationId: number): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT 1 FROM sync_config WHERE NOT disabled AND EXISTS (SELECT 1 FROM destinations d WHERE id = ? AND ${NOT_DELETED})`,
    [destinationId],
  );
  return rows.length > 0;
}
