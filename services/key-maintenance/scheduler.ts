import { readClock } from '../../libs/store/maintenance/jobs.ts';
import type { Job, MaintenanceServices } from './job.ts';
import { runDueJob } from './run-job.ts';
import { latestScheduledTime } from './scheduled-times.ts';

const MINUTE_MS = 60_000;
const ALL_JOBS_EVERY = 5;

type CronJob = Job & { cron: string };

/** `stop` lets a running job finish its present step. */
export type JobScheduler = { stop: () => Promise<void> };

/**
 * Looks every minute at the jobs whose time has come. At its start and every fifth time it looks at all jobs, for runs that failed or were
 * missed, for example because this machine's clock was set back. Postgres and its clock decide whether a job really runs; the
 * clock of this process only says when to look. This process runs one job at a time, so that few connections are needed.
 */
export function startScheduler(
  jobs: Job[],
  services: MaintenanceServices,
  { waitMs = untilNextMinute }: { waitMs?: () => number } = {},
): JobScheduler {
  const stopping = new AbortController();
  const scheduled = jobs.filter((job): job is CronJob => job.cron !== null);
  let looked = new Date(0);
  let timer: NodeJS.Timeout | undefined;

  const run = async (job: CronJob): Promise<void> => {
    if (stopping.signal.aborted) return;
    // After a loss, the remaining data stays unchanged until an operator has decided.
    if (services.loss.isRefusing() && job.name !== 'notify') return;
    try {
      const now = await readClock(services.db);
      await runDueJob(job, { services, now, signal: stopping.signal });
    } catch (error) {
      services.log.warn(
        { error, job: job.name },
        'it could not be checked whether a job is due; this is tried again',
      );
    }
  };
  const look = async (round: number): Promise<void> => {
    const now = new Date();
    const isDue = ({ cron }: CronJob): boolean => latestScheduledTime(cron, now) > looked;
    const due = round % ALL_JOBS_EVERY === 0 ? scheduled : scheduled.filter(isDue);
    looked = now;
    for (const job of due) await run(job);
    if (stopping.signal.aborted) return;
    timer = setTimeout(() => {
      looking = look(round + 1);
    }, waitMs());
  };
  let looking = look(0);
  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await looking;
    },
  };
}

function untilNextMinute(): number {
  return MINUTE_MS - (Date.now() % MINUTE_MS);
}
