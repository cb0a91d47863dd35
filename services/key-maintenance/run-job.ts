import { findJobState, storeJobRun, withJobLock } from '../../libs/store/maintenance/jobs.ts';
import { auditChanges } from './audited-changes.ts';
import type { Job, JobRun, JobSummary, MaintenanceServices } from './job.ts';
import { latestScheduledTime } from './scheduled-times.ts';

// The most that two readings of the clock may differ while one run waits for the other.
const MINUTE_MS = 60_000;

/** How a run ended. `failed`: it threw, or a person should look at its `problems`. */
export type JobResult = { outcome: 'succeeded' | 'failed'; summary: JobSummary };

/**
 * Runs a job if a time of its schedule has passed and no run, in any process, was for that time yet; null otherwise. If a
 * run throws, the time stays open, so the next look at the schedule tries again.
 */
export async function runDueJob(
  job: Job & { cron: string },
  options: { services: MaintenanceServices; now: Date; signal: AbortSignal },
): Promise<JobResult | null> {
  const { services, now, signal } = options;
  return withJobLock(services.db, job.name, async () => {
    const latest = latestScheduledTime(job.cron, now);
    const { scheduledFor, outcome: before } = await findJobState(services.db, job.name);
    if (scheduledFor && scheduledFor >= latest && !isAhead(scheduledFor, now)) return null;
    const report: JobRun['report'] = (found) => services.log.info({ job: job.name, ...found }, 'job finding');
    const times = { now, scheduledFor: latest };
    return carryOut(job, { services, ...times, before, signal, report, options: { replay: false } });
  });
}

// The time comes from a clock that was set back since. Without this check, nothing would run until that time comes again.
function isAhead(scheduledFor: Date, now: Date): boolean {
  return scheduledFor.getTime() - now.getTime() > MINUTE_MS;
}

/** Runs a job now, whatever its schedule says; null if it is running elsewhere. */
export async function runJobByHand(
  job: Job,
  options: JobRun['options'] & { services: MaintenanceServices; now: Date; report: JobRun['report'] },
): Promise<JobResult | null> {
  const { services, now, replay, discard = false, report } = options;
  const { signal } = new AbortController();
  const scheduledFor = job.cron === null ? null : latestScheduledTime(job.cron, now);
  return withJobLock(services.db, job.name, () =>
    carryOut(job, { services, now, scheduledFor, signal, report, options: { replay, discard } }),
  );
}

async function carryOut(
  job: Job,
  run: Omit<JobRun, 'change'> & { scheduledFor: Date | null; before?: string | null },
): Promise<JobResult> {
  const { services, now, scheduledFor, signal } = run;
  const started = performance.now();
  const changes = auditChanges(services.db, { name: `job ${job.name}`, at: now });
  const finish = async (result: JobResult, doneFor: Date | null): Promise<JobResult> => {
    const { outcome, summary } = result;
    // A job that fails every minute for the same reason says so once, and once more when that is over.
    const isNews = (outcome === 'failed') !== (run.before === 'failed');
    await changes.end(outcome, summary, isNews);
    await storeJobRun(services.db, {
      name: job.name,
      scheduledFor: doneFor,
      finishedAt: new Date(),
      outcome,
      summary,
    });
    services.metrics.jobs.inc({ name: job.name, outcome });
    const line = { job: job.name, outcome, ...summary, ms: Math.round(performance.now() - started) };
    services.log[outcome === 'failed' ? 'warn' : 'info'](line, 'job done');
    return result;
  };
  const change: JobRun['change'] = async (work) => {
    signal.throwIfAborted();
    return changes.change(work);
  };
  try {
    const summary = await job.run({ ...run, change });
    return await finish(
      { outcome: (summary.problems ?? 0) > 0 ? 'failed' : 'succeeded', summary },
      scheduledFor,
    );
  } catch (error) {
    if (!signal.aborted) services.log.error({ error, job: job.name }, 'a job failed');
    const summary = signal.aborted ? { interrupted: 1 } : { problems: 1 };
    return finish({ outcome: 'failed', summary }, null);
  }
}
