import { Command } from 'commander';
import { encodePath } from '../../client/http.ts';
import { readFields } from '../../client/input.ts';
import { openWithoutToken } from '../../client/session.ts';

/** `login`: a machine gets a token from an auth method. Only the token goes to standard output, so that a shell can keep it. */
export function logInCommand(): Command {
  return new Command('login')
    .description('Log in by an auth method and print the token')
    .argument('<method>', 'the path of the auth method, such as jwt or ci')
    .argument(
      '<fields...>',
      'role=NAME jwt=@file, or role_id=ID secret_id=@file: key=value, key=@file or key=- (standard input)',
    )
    .action(async (method: string, words: string[], _options, command: Command) => {
      const { client, output } = openWithoutToken(command);
      const fields = Object.entries(await readFields(words)).map(([key, value]) => [
        key,
        // A file of a token usually ends with a line feed.
        typeof value === 'string' ? value.trim() : value,
      ]);
      const { data } = await client.call(
        'POST',
        `auth/${encodePath(method)}/login`,
        Object.fromEntries(fields),
      );
      const { client_token: token, accessor, policies, lease_duration: seconds } = data;
      output.show({ token, accessor, policies, ttl_seconds: seconds }, () => String(token));
    });
}
