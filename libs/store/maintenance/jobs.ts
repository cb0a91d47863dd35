import type { Database } from '../../db/connect.ts';

/** The last run of a job, by its schedule or by hand; `scheduledFor` is the scheduled time that it ran for. */
export type JobState = { scheduledFor: Date | null; outcome: string | null };

// Separates our locks from others in the database; the second number identifies the job.
const LOCK_CLASS = 7_325_439;

/** The time by Postgres' clock, which also set the expiry times. */
export async function readClock(db: Database): Promise<Date> {
  const { rows } = await db.raw<{ rows: { now: Date }[] }>('SELECT clock_timestamp() AS now');
  if (!rows[0]) throw new Error('Postgres returned no time');
  return rows[0].now;
}

/**
 * Runs `work`, or returns null if the same job is running elsewhere. The lock belongs to its own connection and ends with
 * it, so a lost worker blocks nothing.
 */
export async function withJobLock<Result>(
  db: Database,
  name: string,
  work: () => Promise<Result>,
): Promise<Result | null> {
  return db.transaction(async (transaction) => {
    const { rows } = await transaction.raw<{ rows: { locked: boolean }[] }>(
      // This transaction stays idle while the work runs; others have a time limit for that.
      `SELECT pg_try_advisory_xact_lock(?, hashtext(?)) AS locked,
         set_config('idle_in_transaction_session_timeout', '0', true)`,
      [LOCK_CLASS, name],
    );
    return rows[0]?.locked ? work() : null;
  });
}

/** All null if the job never ran. */
export async function findJobState(db: Database, name: string): Promise<JobState> {
  const row: { slot_at: Date | null; outcome: string } | undefined = await db('jobs')
    .where({ name })
    .first('slot_at', 'outcome');
  return { scheduledFor: row?.slot_at ?? null, outcome: row?.outcome ?? null };
}

/** Records a run. Without `scheduledFor` the earlier scheduled time stays, so the job stays due. */
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
