import { Command, Option } from 'commander';
import { CommandError } from '../exit-codes.ts';
import { outputOf, renderTable } from '../output.ts';

/** Shows unreadable messages; `--replay` puts them back into their queues, `--discard` deletes them. */
export function deadLettersCommand(): Command {
  return new Command('dead-letters')
    .description('List the messages that no process could read')
    .option('--replay', 'put the messages back into their queues', false)
    .addOption(new Option('--discard', 'delete the messages for good').default(false).conflicts('replay'))
    .action(async ({ replay, discard }: { replay: boolean; discard: boolean }, command: Command) => {
      const output = outputOf(command);
      const { loadConfig } = await import('../../../libs/config/config.ts');
      const { carryOutByHand } = await import('../../key-maintenance/by-hand.ts');
      const { deadLetters } = await import('../../key-maintenance/jobs/dead-letters.ts');
      const letters: Record<string, unknown>[] = [];
      const result = await carryOutByHand(
        { ...deadLetters, cron: null },
        { config: loadConfig(), replay, discard, report: (letter) => letters.push(letter) },
      );
      if (!result)
        throw new CommandError('failed', 'another process is reading the dead letters now: try again later');
      if (result.outcome === 'failed') {
        throw new CommandError('unreachable', 'the dead letters cannot be read: is RabbitMQ running?');
      }
      const { kept = 0, replayed = 0, discarded = 0 } = result.summary;
      output.show({ kept, replayed, discarded, dead_letters: letters }, () => {
        if (letters.length === 0) return 'there are no dead letters';
        const rows = letters.map((one) => [
          one['at'],
          one['queue'],
          one['reason'],
          one['bytes'],
          one['beginning'],
        ]);
        return `${renderTable(['at', 'queue', 'reason', 'bytes', 'beginning'], rows)}\n${kept} kept, ${replayed} replayed, ${discarded} discarded`;
      });
    });
}
