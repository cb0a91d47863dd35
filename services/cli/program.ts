import { Command } from 'commander';
import { alertCommand } from './commands/alert.ts';
import { associationCommand } from './commands/association/association.ts';
import { bootstrapCommand } from './commands/bootstrap.ts';
import { configurationCommand } from './commands/configuration.ts';
import { deadLettersCommand } from './commands/dead-letters.ts';
import { destinationCommand } from './commands/destination/destination.ts';
import { doctorCommand } from './commands/doctor.ts';
import { incidentsCommand } from './commands/incidents.ts';
import { jobCommand } from './commands/job.ts';
import { kvCommand } from './commands/kv/kv.ts';
import { migrateCommand } from './commands/migrate.ts';
import { pauseCommand, resumeCommand } from './commands/destination/pause.ts';
import { recoverCommand } from './commands/recover.ts';
import { serveCommand } from './commands/serve.ts';
import { statusCommand } from './commands/status.ts';
import { githubAppCommand } from './commands/destination/github-app.ts';
import { teamCommand } from './commands/access/team.ts';
import { searchCommand } from './commands/search.ts';
import { sessionCommand } from './commands/access/session.ts';
import { tokenCommand } from './commands/access/token.ts';
import { exitCodeHelp } from './exit-codes.ts';
import { readVersion } from '../../libs/config/version.ts';
import { logInCommand } from './commands/access/log-in.ts';
import { unwrapCommand } from './commands/access/unwrap.ts';
import { masterKeyCommand } from './master-key/command.ts';

/** The command `sealift` with all its verbs; throws CommanderError if parsing fails. */
export function createProgram(): Command {
  const program = new Command('sealift')
    .description('Keeps secrets in sync with external secret stores')
    .version(readVersion())
    .option('--json', 'write the result as one line of JSON')
    .option('--url <url>', 'client verbs and doctor: address of the API (SEALIFT_URL)')
    .option(
      '--token-file <file>',
      'client verbs: a file that holds the token (SEALIFT_TOKEN, SEALIFT_TOKEN_FILE)',
    )
    .option('--namespace <path>', 'client verbs: the namespace to work in (SEALIFT_NAMESPACE)')
    .addHelpText('after', exitCodeHelp)
    .commandsGroup('Running the service:')
    .addCommand(serveCommand())
    .addCommand(migrateCommand())
    .addCommand(bootstrapCommand())
    .addCommand(recoverCommand())
    .addCommand(masterKeyCommand())
    .addCommand(jobCommand())
    .addCommand(deadLettersCommand())
    .addCommand(doctorCommand())
    .addCommand(configurationCommand())
    .commandsGroup('Daily work:')
    .addCommand(logInCommand())
    .addCommand(unwrapCommand())
    .addCommand(tokenCommand())
    .addCommand(sessionCommand())
    .addCommand(githubAppCommand())
    .addCommand(teamCommand())
    .addCommand(destinationCommand())
    .addCommand(kvCommand())
    .addCommand(associationCommand())
    .addCommand(pauseCommand())
    .addCommand(resumeCommand())
    .addCommand(alertCommand())
    .addCommand(searchCommand())
    .addCommand(statusCommand())
    .addCommand(incidentsCommand());
  prepare(program);
  return program;
}

// A command that was created separately does not inherit these settings.
function prepare(command: Command): void {
  command
    .exitOverride()
    .showHelpAfterError('(--help shows the usage)')
    .configureHelp({ showGlobalOptions: true });
  for (const child of command.commands) prepare(child);
}
