import { Command } from 'commander';
import { loadConfig } from '../../../libs/config/config.ts';
import type { Job } from '../../key-maintenance/job.ts';

/** Runs a maintenance job now and reports in one line; without a name, shows them all. Exit code 1 where it did not succeed. */
export function jobCommand(): Command {
  return new Command('job')
    .description('Runs a maintenance job now, or shows which there are')
    .argument('[name]', 'which job')
    .option('--replay', 'dead-letters: put the messages back where they came from', false)
    .action(async (name: string | undefined, options: { replay: boolean }) => {
      const { jobs } = await import('../../key-maintenance/schedule.ts');
      if (name === undefined) return list(jobs);
      const job = jobs.find((candidate) => candidate.name === name);
      if (!job) {
        throw new Error(`there is no job ${name}; the jobs are ${jobs.map((one) => one.name).join(', ')}`);
      }
      const { runByHand } = await import('../../key-maintenance/by-hand.ts');
      const succeeded = await runByHand(job, {
        config: loadConfig(),
        now: new Date(),
        replay: options.replay,
        write: (line) => process.stdout.write(`${line}\n`),
      });
      if (!succeeded) process.exitCode = 1;
    });
}

function list(jobs: Job[]): void {
  for (const { name, cron, description } of jobs) {
    process.stdout.write(`${name.padEnd(22)} ${(cron ?? 'by hand only').padEnd(14)} ${description}\n`);
  }
}
