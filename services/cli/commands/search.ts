import { Command } from 'commander';
import type { Fields } from '../client/http.ts';
import { openSession } from '../client/session.ts';
import { renderTable, textOf } from '../output.ts';

/** Finds destinations and secrets by a part of their name. */
export function searchCommand(): Command {
  return new Command('search')
    .description('Find destinations and secrets by a part of their name')
    .argument('<text>')
    .action(async (text: string, _options, command: Command) => {
      const { client, output } = openSession(command);
      const query = new URLSearchParams({ q: text, limit: '100' });
      const { data } = await client.call('GET', `sys/search?${query.toString()}`);
      const rows = [
        ...(data['destinations'] as Fields[]).map(({ type, name }) => ['destination', [type, name]] as const),
        ...(data['secrets'] as Fields[]).map(
          (one) => ['secret', [one['mount'], one['secret_name']]] as const,
        ),
      ];
      output.show(data, () =>
        rows.length === 0
          ? 'nothing is found'
          : renderTable(
              ['kind', 'name'],
              rows.map(([kind, parts]) => [kind, parts.map(textOf).join('/')]),
            ),
      );
      if (data['is_complete'] === false) output.note('there is more: search for a longer text');
    });
}
