import type { Command } from 'commander';
import { encodePath, type Fields } from '../../client/http.ts';
import { findSecretName } from '../../client/names.ts';
import { openSession } from '../../client/session.ts';
import { renderTable, textOf } from '../../output.ts';
import { secretCommand, type MountOption } from './secret-command.ts';

const HEAD = ['kind', 'name', 'namespace', 'by policies', 'until', 'sessions'];

/** Tells who may read the values of a secret. */
export function readersCommand(): Command {
  return secretCommand('readers', 'Tell which tokens, roles and teams may read a secret now').action(
    async (name: string, { mount }: MountOption, command: Command) => {
      const { client, output } = openSession(command);
      const secret = await findSecretName(client, name, mount);
      const { data } = await client.call('GET', `sys/readers/${encodePath(secret.mount, secret.path)}`);
      const tokens = data['tokens'] as Fields[];
      const roles = data['roles'] as Fields[];
      const policiesOf = (one: Fields): string => (one['policies'] as string[]).join(', ');
      const rows = [
        ...tokens.map((one) => [
          'token',
          textOf(one['user'] ?? one['name']),
          textOf(one['namespace'] || 'root'),
          policiesOf(one),
          textOf(one['expire_time'] ?? 'never expires'),
          textOf(one['sessions']),
        ]),
        ...roles.map((one) => [
          one['kind'] === 'team' ? 'team' : `${textOf(one['kind'])} role`,
          textOf(one['name']),
          textOf(one['namespace'] || 'root'),
          policiesOf(one),
          '',
          '',
        ]),
      ];
      output.show(data, () => (rows.length === 0 ? 'nobody may read it' : renderTable(HEAD, rows)));
      if (data['is_complete'] === false) output.note('there are more tokens or roles than were looked at');
    },
  );
}
