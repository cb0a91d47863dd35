import type { Job, JobSummary, MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { runDueJob, runJobByHand } from '../../services/key-maintenance/run-job.ts';
import { jobs } from '../../services/key-maintenance/schedule.ts';
import { createMaintenanceServices } from '../../services/key-maintenance/services.ts';
import { eventually } from '../support/eventually.ts';
import type { Sealift } from '../support/sealift.ts';

export const DAY = 24 * 60 * 60 * 1000;

/** The time this many days from now, for a shifted clock. */
export function daysFromNow(days: number): Date {
  return new Date(Date.now() + days * DAY);
}

/** The services of a key-maintenance worker, without its clock. Unless it `seesWorkers`, all that are needed seem to run. */
export async function startMaintenance(
  sealift: Sealift,
  { seesWorkers = false } = {},
): Promise<MaintenanceServices> {
  let services: MaintenanceServices | undefined;
  await sealift.start('maintenance', async (context) => {
    services = createMaintenanceServices(context);
    context.broker.start();
    await eventually(() => context.broker.ready);
    return { stop: async () => undefined };
  });
  if (!services) throw new Error('the services were not made');
  return seesWorkers ? services : { ...services, findIdleWorkers: async () => [] };
}

export function jobNamed(name: string): Job & { cron: string } {
  const job = jobs.find((candidate) => candidate.name === name);
  if (!job) throw new Error(`there is no job ${name}`);
  return { ...job, cron: job.cron ?? '0 0 * * *' };
}

/** Runs a job at a given time, as the schedule would; null if it was not due. */
export async function runDue(
  services: MaintenanceServices,
  name: string,
  now: Date,
): Promise<JobSummary | null> {
  const result = await runDueJob(jobNamed(name), { services, now, signal: new AbortController().signal });
  return result && result.summary;
}

/** Runs a job by hand; `found` gets its findings. */
export async function runNow(
  services: MaintenanceServices,
  name: string,
  options: { now?: Date; replay?: boolean; discard?: boolean; found?: Record<string, unknown>[] } = {},
): Promise<JobSummary> {
  const { now = new Date(), replay = false, discard = false, found = [] } = options;
  const result = await runJobByHand(jobNamed(name), {
    services,
    now,
    replay,
    discard,
    report: (one) => found.push(one),
  });
  if (!result) throw new Error(`${name} runs elsewhere`);
  return result.summary;
}
