import type { Database } from '../../libs/db/connect.ts';
import { eventually } from './eventually.ts';

/** Waits until at least this many sessions of the database wait for a lock. */
export function untilWaiting(db: Database, count: number): Promise<boolean> {
  return eventually(async () => {
    const waiting = await db('pg_stat_activity')
      .whereRaw("datname = current_database() AND wait_event_type = 'Lock'")
      .select('pid');
    return waiting.length >= count;
  });
}
