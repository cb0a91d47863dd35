import { Command } from 'commander';
import type { Config } from '../../../libs/config/config.ts';
import type { Job } from '../../key-maintenance/job.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import { outputOf } from '../output.ts';

/**
 * Runs a maintenance job now and reports in one line; without a name, lists all jobs. Exit code 1 if the job did not
 * succeed.
 */
export function jobCommand(): Command {
  return new Command('job')
    .description('Run a maintenance job now, or list the jobs')
    .argument('[name]', 'name of the job; default: list the jobs')
    .option('--replay', 'dead-letters only: put the messages back into their queues', false)
    .action(async (name: string | undefined, options: { replay: boolean }, command: Command) => {
      const { findJob, jobs } = await import('../../key-maintenance/schedule.ts');
      const output = outputOf(command);
      if (name === undefined) {
        const rows = jobs.map(({ name: job, cron, description }) => ({ name: job, cron, description }));
        return output.show(rows, () => list(jobs));
      }
      const job = findJob(name);
      if (!job) {
        throw new CommandError(
          'notFound',
          `there is no job ${name}; the jobs are ${jobs.map((one) => one.name).join(', ')}`,
        );
      }
      const { loadConfig } = await import('../../../libs/config/config.ts');
      const run = { config: loadConfig(), replay: options.replay };
      const succeeded = output.json
        ? await runForMachines(job, run)
        : await runForPeople(job, { ...run, write: (line) => process.stdout.write(`${line}\n`) });
      if (!succeeded) process.exitCode = exitCodes.failed;
    });
}

type Run = { config: Config; replay: boolean };

async function runForPeople(job: Job, run: Run & { write: (line: string) => void }): Promise<boolean> {
  const { runByHand } = await import('../../key-maintenance/by-hand.ts');
  return runByHand(job, run);
}

async function runForMachines(job: Job, run: Run): Promise<boolean> {
  const { carryOutByHand } = await import('../../key-maintenance/by-hand.ts');
  const found: Record<string, unknown>[] = [];
  const result = await carryOutByHand(job, { ...run, report: (one) => found.push(one) });
  const outcome = result?.outcome ?? 'running elsewhere';
  process.stdout.write(
    `${JSON.stringify({ job: job.name, outcome, summary: result?.summary ?? null, found })}\n`,
  );
  return outcome === 'succeeded';
}

function list(jobs: Job[]): string {
  return jobs
    .map(
      ({ name, cron, description }) =>
        `${name.padEnd(22)} ${(cron ?? 'by hand only').padEnd(14)} ${description}`,
    )
    .join('\n');
}
