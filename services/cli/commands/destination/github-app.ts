import { Command } from 'commander';
import { encodePath } from '../../client/http.ts';
import { readFields } from '../../client/input.ts';
import { openSession } from '../../client/session.ts';
import { renderFields, renderTable } from '../../output.ts';

/** GitHub Apps that destinations sign in as. */
export function githubAppCommand(): Command {
  return new Command('github-app')
    .description('Manage the GitHub Apps that destinations sign in as')
    .addCommand(listCommand())
    .addCommand(readCommand())
    .addCommand(writeCommand())
    .addCommand(deleteCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List the GitHub Apps of a namespace')
    .action(async (_options, command) => {
      const { client, output } = openSession(command as Command);
      const found = await client.find('LIST', 'sys/sync/github-apps');
      const names = (found?.data['keys'] ?? []) as string[];
      output.show(names, () =>
        names.length === 0
          ? 'no GitHub Apps yet'
          : renderTable(
              ['name'],
              names.map((name) => [name]),
            ),
      );
    });
}

function readCommand(): Command {
  return appCommand('read', 'Show an app with the fingerprint of its key').action(
    async (name: string, _options, command: Command) => {
      const { client, output } = openSession(command);
      const { data } = await client.call('GET', pathOf(name));
      output.show(data, () => renderFields(data));
    },
  );
}

function writeCommand(): Command {
  return appCommand('write', 'Create an app, or give it a new key: app_id=42 private_key=@app.pem')
    .argument(
      '<fields...>',
      'app_id, private_key, enterprise_url: key=value, key=@file or key=- (standard input)',
    )
    .action(async (name: string, words: string[], _options, command: Command) => {
      const { client, output } = openSession(command);
      const { data } = await client.call('POST', pathOf(name), await readFields(words));
      output.show(data, () => renderFields(data));
    });
}

function deleteCommand(): Command {
  return appCommand('delete', 'Delete an app that no destination uses').action(
    async (name: string, _options, command: Command) => {
      const { client, output } = openSession(command);
      await client.call('DELETE', pathOf(name));
      output.show({ deleted: true }, () => 'deleted');
    },
  );
}

function appCommand(verb: string, description: string): Command {
  return new Command(verb).description(description).argument('<app>', 'the name of the app here');
}

function pathOf(name: string): string {
  return `sys/sync/github-apps/${encodePath(name)}`;
}
