import { Command } from 'commander';
import type { Fields } from '../client/http.ts';
import { openSession } from '../client/session.ts';
import { renderTable, textOf } from '../output.ts';

const MOST = 100;

/** Finds destinations and secrets by a part of their name. */
export function searchCommand(): Command {
  return new Command('search')
    .description('Find destinations and secrets by a part of their name')
    .argument('<text>')
    .option('--below', 'search every namespace below too')
    .action(async (text: string, { below = false }: { below?: boolean }, command: Command) => {
      const { client, output } = openSession(command);
      const ask = async (after: string): Promise<Fields> => {
        const query = new URLSearchParams({
          q: text,
          limit: String(MOST),
          ...(after ? { after } : {}),
          ...(below ? { namespaces: 'below' } : {}),
        });
        return (await client.call('GET', `sys/search?${query.toString()}`)).data;
      };
      const data = await ask('');
      const secrets = [...(data['secrets'] as Fields[])];
      // One answer covers only a part of very many secrets.
      while (typeof data['next_after'] === 'string' && secrets.length < MOST) {
        const { secrets: more, is_complete, next_after } = await ask(data['next_after']);
        secrets.push(...(more as Fields[]));
        Object.assign(data, { secrets, is_complete, next_after });
      }
      const rows = [
        ...(data['destinations'] as Fields[]).map(
          ({ type, name, namespace }) => ['destination', [type, name], namespace] as const,
        ),
        ...secrets.map((one) => ['secret', [one['mount'], one['secret_name']], one['namespace']] as const),
      ];
      output.show(data, () =>
        rows.length === 0
          ? 'nothing was found'
          : renderTable(
              ['kind', 'name', ...(below ? ['namespace'] : [])],
              rows.map(([kind, parts, namespace]) => [
                kind,
                parts.map(textOf).join('/'),
                ...(below ? [textOf(namespace) || 'root'] : []),
              ]),
            ),
      );
      if (data['is_complete'] === false) output.note('there are more results: search for a longer text');
    });
}
