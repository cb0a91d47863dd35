import pWaitFor from 'p-wait-for';
import type { Config } from '../../libs/config/config.ts';
import { createLog } from '../../libs/log/log.ts';
import { readClock } from '../../libs/store/maintenance/jobs.ts';
import { closeContext, openContext } from '../../libs/service/context.ts';
import type { Job, JobRun } from './job.ts';
import { runJobByHand, type JobResult } from './run-job.ts';
import { createMaintenanceServices } from './services.ts';

const POSTGRES_LIMIT_MS = 10_000;
const BROKER_LIMIT_MS = 5000;
const POLL_MS = 50;

/**
 * Runs one job in this process, whatever its schedule says. Writes its findings and one summary line. True if it
 * succeeded. Only a job about messages needs the broker. `now` replaces the time, which otherwise comes from Postgres.
 */
export async function runByHand(
  job: Job,
  options: { config: Config; now?: Date; replay: boolean; write: (line: string) => void },
): Promise<boolean> {
  const { write } = options;
  const result = await carryOutByHand(job, { ...options, report: (found) => write(describe(found)) });
  if (!result) {
    write(`${job.name}: not started, because another process is running it`);
    return false;
  }
  write(`${job.name}: ${result.outcome} ${describe(result.summary)}`);
  return result.outcome === 'succeeded';
}

/** The same, but returns data; null if the job is running elsewhere. */
export async function carryOutByHand(
  job: Job,
  options: JobRun['options'] & { config: Config; now?: Date; report: JobRun['report'] },
): Promise<JobResult | null> {
  const { config, replay, discard = false, report } = options;
  const log = createLog({ service: 'job', level: 'error' });
  const signal = AbortSignal.timeout(POSTGRES_LIMIT_MS);
  const context = await openContext({ config, log, name: 'job', signal });
  try {
    const services = createMaintenanceServices(context);
    context.broker.start();
    // Without the broker, events and work notifications are lost, but the work itself is not.
    await pWaitFor(() => context.broker.ready, {
      interval: POLL_MS,
      timeout: { milliseconds: BROKER_LIMIT_MS, fallback: () => undefined },
    });
    const now = options.now ?? (await readClock(context.db));
    return await runJobByHand(job, { services, now, replay, discard, report });
  } finally {
    await closeContext(context);
  }
}

function describe(fields: Record<string, unknown>): string {
  return Object.entries(fields)
    .map(
      ([name, value]) =>
        `${name}=${value === null ? 'none' : isPlain(value) ? value : JSON.stringify(value)}`,
    )
    .join(' ');
}

// A text of unknown origin must not control the terminal.
function isPlain(value: unknown): value is string {
  return typeof value === 'string' && /^[\w.:/+-]+$/.test(value);
}
