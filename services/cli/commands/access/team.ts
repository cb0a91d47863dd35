import { Command } from 'commander';
import { encodePath, type Fields } from '../../client/http.ts';
import { openSession } from '../../client/session.ts';
import { renderFields, renderTable } from '../../output.ts';

/** Teams of the identity provider: which policies their members get when they sign in. */
export function teamCommand(): Command {
  return new Command('team')
    .description('Manage the policies of teams, which people get by single sign-on')
    .addCommand(listCommand())
    .addCommand(readCommand())
    .addCommand(writeCommand())
    .addCommand(deleteCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List the teams of a namespace')
    .action(async (_options, command) => {
      const { client, output } = openSession(command as Command);
      const found = await client.find('LIST', 'sys/teams');
      const teams = Object.entries((found?.data['key_info'] ?? {}) as Record<string, Fields>).map(
        ([name, team]): Fields => ({ name, ...team }),
      );
      output.show(teams, () =>
        teams.length === 0
          ? 'no teams yet'
          : renderTable(
              ['name', 'policies'],
              teams.map((team) => [team['name'], (team['policies'] as string[]).join(', ')]),
            ),
      );
    });
}

function readCommand(): Command {
  return new Command('read')
    .description('Show the policies of a team')
    .argument('<team>', 'as the identity provider writes it')
    .action(async (name: string, _options, command: Command) => {
      const { client, output } = openSession(command);
      const { data } = await client.call('GET', pathOf(name));
      output.show(data, () => renderFields(data));
    });
}

function writeCommand(): Command {
  return new Command('write')
    .description('Give a team policies, instead of those that it has')
    .argument('<team>', 'as the identity provider writes it')
    .argument('<policies...>', 'names of policies')
    .action(async (name: string, policies: string[], _options, command: Command) => {
      const { client, output } = openSession(command);
      await client.call('POST', pathOf(name), { policies });
      output.show({ written: true }, () => 'written');
    });
}

function deleteCommand(): Command {
  return new Command('delete')
    .description('Take all policies from a team; who is signed in keeps them until the session ends')
    .argument('<team>', 'as the identity provider writes it')
    .action(async (name: string, _options, command: Command) => {
      const { client, output } = openSession(command);
      await client.call('DELETE', pathOf(name));
      output.show({ deleted: true }, () => 'deleted');
    });
}

function pathOf(name: string): string {
  return `sys/teams/${encodePath(name)}`;
}
