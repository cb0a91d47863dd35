import { Command } from 'commander';
import { loadConfig } from '../../../libs/config/config.ts';
import { CommandError } from '../exit-codes.ts';
import { outputOf, renderTable } from '../output.ts';

/** Shows unreadable messages; with `--replay` puts them back into their queues. */
export function deadLettersCommand(): Command {
  return new Command('dead-letters')
    .description('List the messages that no process could read')
    .option('--replay', 'put the messages back into their queues', false)
    .action(async ({ replay }: { replay: boolean }, command: Command) => {
      const output = outputOf(command);
      const { carryOutByHand } = await import('../../key-maintenance/by-hand.ts');
      const { deadLetters } = await import('../../key-maintenance/jobs/dead-letters.ts');
      const letters: Record<string, unknown>[] = [];
      const result = await carryOutByHand(
        { ...deadLetters, cron: null },
        { config: loadConfig(), replay, report: (letter) => letters.push(letter) },
      );
      if (!result)
        throw new CommandError('failed', 'another process is reading the dead letters now: try again later');
      if (result.outcome === 'failed') {
        throw new CommandError('unreachable', 'the dead letters cannot be read: is RabbitMQ running?');
      }
      const { kept = 0, replayed = 0 } = result.summary;
      output.show({ kept, replayed, dead_letters: letters }, () => {
        if (letters.length === 0) return 'there are no dead letters';
        const rows = letters.map((one) => [
          one['at'],
          one['queue'],
          one['reason'],
          one['bytes'],
          one['beginning'],
        ]);
        return `${renderTable(['at', 'queue', 'reason', 'bytes', 'beginning'], rows)}\n${kept} kept, ${replayed} replayed`;
      });
    });
}
