import { Command } from 'commander';
import type { Fields } from '../../client/http.ts';
import { destinationPath } from '../../client/names.ts';
import { openSession } from '../../client/session.ts';
import { pageLimitOption, timeOption } from '../../option-values.ts';
import { textOf } from '../../output.ts';
import { renderAttempts } from '../../render-attempts.ts';

type Options = {
  since?: string;
  until?: string;
  who?: string;
  outcome?: string;
  before?: string;
  limit: number;
};

/** What was written to a destination, when, and who caused that. */
export function destinationAttemptsCommand(): Command {
  return new Command('attempts')
    .description('Show the sync attempts of all secrets at a destination, newest first')
    .argument('<destination>', 'type/name')
    .option(
      '--since <time>',
      'only what happened at or after this time, such as 2026-01-02T03:04:05Z',
      timeOption,
    )
    .option('--until <time>', 'only what happened before this time', timeOption)
    .option('--who <text>', 'only what was caused by whom: a part of the name of a person or a token')
    .option('--outcome <outcome>', 'only what succeeded, or only what failed: succeeded, failed')
    .option('--before <id>', 'continue before this attempt')
    .option('--limit <number>', 'maximum number of attempts', pageLimitOption, 20)
    .action(async (name: string, options: Options, command: Command) => {
      const { client, output } = openSession(command);
      const query = new URLSearchParams({ ...options, limit: String(options.limit) });
      const { data } = await client.call('GET', `${destinationPath(name)}/attempts?${query.toString()}`);
      const lines = data['attempts'] as Fields[];
      output.show(data, () => (lines.length === 0 ? 'no attempts' : renderAttempts(lines)));
      const next = data['next_before'];
      if (next !== null) output.note(`there are more: --before ${textOf(next)}`);
    });
}
