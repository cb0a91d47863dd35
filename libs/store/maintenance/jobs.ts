import type { Database } from '../../db/connect.ts';

/** What is known of a job's last run. `scheduledFor` is the time of its schedule that the run was for. */
export type JobState = { scheduledFor: Date | null };

// Keeps our locks apart from others in the database; the second number is the job's.
const LOCK_CLASS = 7_325_439;

/** The time by Postgres' clock, the one by which whatever expires was given its time. */
export async function readClock(db: Database): Promise<Date> {
  const { rows } = await db.raw<{ rows: { now: Date }[] }>('SELECT clock_timestamp() AS now');
  if (!rows[0]) throw new Error('Postgres did not tell the time');
  return rows[0].now;
}

/**
 * Runs `work` unless the same job is running somewhere else, then null. The lock lives on a connection of its own and falls
 * with it, so that a lost worker blocks nobody.
 */
export async function withJobLock<Result>(
  db: Database,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  return db.transaction(async (transaction) => {
    const { rows } = await transaction.raw<{ rows: { locked: boolean }[] }>(
      // Silent for as long as the work takes, which other transactions may not be.
      `SELECT pg_try_advisory_xact_lock(?, hashtext(?)) AS locked,
         set_config('idle_in_transaction_session_timeout', '0', true)`,
      [LOCK_CLASS, name],
    );
    return rows[0]?.locked ? work() : null;
  });
}

/** Null for a job that never ran. */
export async function findJobState(db: Database, name: string): Promise<JobState> {
  const row: { slot_at: Date | null } | undefined = await db('jobs').where({ name }).first('slot_at');
  return { scheduledFor: row?.slot_at ?? null };
}

/** Remembers a run; without a time of its schedule the one before stays, and so the job stays due. */
export async function storeJobRun(
  db: Database,
  run: {
    name: string;
    scheduledFor: Date | null;
    finishedAt: Date;
    outcome: string;
    summary: Record<string, unknown>;
  },
): Promise<void> {
  await db.raw(
    `INSERT INTO jobs (name, slot_at, finished_at, outcome, summary) VALUES (?, ?, ?, ?, ?::jsonb)
     ON CONFLICT (name) DO UPDATE SET slot_at = coalesce(excluded.slot_at, jobs.slot_at),
       finished_at = excluded.finished_at, outcome = excluded.outcome, summary = excluded.summary`,
    [run.name, run.scheduledFor, run.finishedAt, run.outcome, JSON.stringify(run.summary)],
  );
}
