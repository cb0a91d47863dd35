import cron, { type Logger } from 'node-cron';
import type { Log } from '../../libs/log/log.ts';
import { readClock } from '../../libs/store/maintenance/jobs.ts';
import type { Job, MaintenanceServices } from './job.ts';
import { runDueJob } from './run-job.ts';

const CATCH_UP_MS = 5 * 60 * 1000;

type CronJob = Job & { cron: string };

/** `catchUp` runs all due jobs, one after the other; `stop` lets a running job finish its present step. */
export type JobScheduler = { catchUp: () => Promise<void>; stop: () => Promise<void> };

/**
 * Looks at each job at the times of its schedule. Also looks at all jobs every five minutes, for runs that failed or were
 * missed, for example because this machine's clock was set back and its timers fire late. Postgres and its clock decide
 * whether a job really runs; the clock of this process only says when to look. This process runs one job at a time, so
 * that few connections are needed.
 */
export function startScheduler(
  jobs: Job[],
  services: MaintenanceServices,
  { catchUpMs = CATCH_UP_MS }: { catchUpMs?: number } = {},
): JobScheduler {
  let queue: Promise<void> = Promise.resolve();
  const stopping = new AbortController();
  const scheduled = jobs.filter((job): job is CronJob => job.cron !== null);

  const runInTurn = (due: CronJob[]): Promise<void> => {
    queue = runAfter(queue, due);
    return queue;
  };
  const runAfter = async (earlier: Promise<void>, due: CronJob[]): Promise<void> => {
    await earlier;
    for (const job of due) {
      if (stopping.signal.aborted) return;
      // After a loss, the remaining data stays unchanged until an operator has decided.
      if (services.loss.isRefusing() && job.name !== 'notify') continue;
      try {
        const now = await readClock(services.db);
        await runDueJob(job, { services, now, signal: stopping.signal });
      } catch (error) {
        services.log.warn(
          { error, job: job.name },
          'it could not be checked whether a job is due; this is tried again',
        );
      }
    }
  };

  const options = {
    timezone: 'UTC',
    noOverlap: true,
    suppressMissedWarning: true,
    logger: toLogger(services.log),
  };
  const tasks = scheduled.map((job) => cron.schedule(job.cron, () => runInTurn([job]), options));
  let catchingUp: Promise<void> | undefined;
  const catchUp = (): Promise<void> => {
    catchingUp ??= runInTurn(scheduled).finally(() => {
      catchingUp = undefined;
    });
    return catchingUp;
  };
  const timer = setInterval(() => void catchUp(), catchUpMs);
  return {
    catchUp,
    stop: async () => {
      stopping.abort();
      clearInterval(timer);
      for (const task of tasks) await task.destroy();
      await queue;
    },
  };
}

// Its warnings are fixed texts; the text of an error may contain anything.
function toLogger(log: Log): Logger {
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: (message) => log.warn({ cron: message }, 'the scheduler warns'),
    error: (message) =>
      log.error({ error: message instanceof Error ? message : undefined }, 'the scheduler failed'),
  };
}
