import { Command } from 'commander';
import { readFields } from '../../client/input.ts';
import { openWithoutToken } from '../../client/session.ts';
import { CommandError } from '../../exit-codes.ts';
import { renderFields } from '../../output.ts';

/** `unwrap`: fetches what somebody hands over. A wrapping token works once, so everything is printed. */
export function unwrapCommand(): Command {
  return new Command('unwrap')
    .description('Fetch a wrapped answer with its token; this works once')
    .argument('<token>', 'token=@file or token=- (standard input)')
    .action(async (word: string, _options, command: Command) => {
      const { token, ...others } = await readFields([word]);
      if (typeof token !== 'string' || Object.keys(others).length > 0)
        throw new CommandError('usage', 'name the wrapping token: token=@file or token=- (standard input)');
      const { client, output } = openWithoutToken(command);
      const { data } = await client.call('POST', 'sys/wrapping/unwrap', {
        // A file of a token usually ends with a line feed.
        token: token.trim(),
      });
      output.show(data, () => renderFields(data));
    });
}
