import { Command } from 'commander';
import { parseDuration } from '../../../libs/validation/duration.ts';
import { CommandError } from '../exit-codes.ts';
import { outputOf } from '../output.ts';

const LONGEST_SECONDS = 24 * 3600;

/** Regains access if the last root token is lost or revoked. */
export function recoverCommand(): Command {
  const rootToken = new Command('root-token')
    .description('Create a root token that expires; needs DATABASE_URL and the master key')
    .option('--ttl <duration>', 'how long the token lives, such as 15m or 1h; at most 24h', '1h')
    .action(async ({ ttl }: { ttl: string }, command: Command) => {
      const seconds = readTtl(ttl);
      const { loadConfig } = await import('../../../libs/config/config.ts');
      const config = loadConfig();
      const { recoverRootToken } = await import('../root-token/recover.ts');
      const { announceRecovery } = await import('../root-token/announce.ts');
      const recovered = await recoverRootToken(config, seconds);
      const output = outputOf(command);
      const { token, accessor } = recovered;
      output.show(
        { token, accessor, ttl_seconds: seconds },
        () =>
          `root token: ${token}\nIt expires in ${ttl}. Create one that lives longer: sealift token create --orphan --policy root`,
      );
      if (!(await announceRecovery(config, recovered)))
        output.note(
          'RabbitMQ could not be reached: no event was published. The audit trail records the token.',
        );
    });
  return new Command('recover')
    .description('Regain access, or decide about lost changes')
    .addCommand(rootToken)
    .addCommand(lostWritesCommand());
}

function lostWritesCommand(): Command {
  return new Command('lost-writes')
    .description(
      'Continue without the acknowledged changes that a failover of Postgres lost, or with a restored database',
    )
    .action(async (_options, command: Command) => {
      const { loadConfig } = await import('../../../libs/config/config.ts');
      const { acceptLostWrites } = await import('../root-token/accept-lost-writes.ts');
      const accepted = await acceptLostWrites(loadConfig());
      outputOf(command).show({ accepted }, () =>
        accepted
          ? 'changes are accepted again, and everything is pushed again'
          : 'nothing waits for a decision',
      );
    });
}

function readTtl(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === undefined || seconds < 1 || seconds > LONGEST_SECONDS)
    throw new CommandError('usage', `--ttl ${text} must be a duration from 1s to 24h, such as 15m or 1h`);
  return seconds;
}
