import { Command } from 'commander';
import { ConfigError } from '../../libs/config/config.ts';
import { bootstrapCommand } from './commands/bootstrap.ts';
import { jobCommand } from './commands/job.ts';
import { migrateCommand } from './commands/migrate.ts';

const program = new Command('sealift')
  .description('Sets up an installation of Sealift')
  .addCommand(migrateCommand())
  .addCommand(bootstrapCommand())
  .addCommand(jobCommand());

try {
  await program.parseAsync();
} catch (error) {
  // What the operator can act on; our own errors carry no secret.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof ConfigError ? 78 : 1;
}
