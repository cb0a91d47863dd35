import { Command } from 'commander';
import { stringifyLossless } from '../../../../libs/validation/lossless.ts';
import type { Fields } from '../../client/http.ts';
import { readFields } from '../../client/input.ts';
import { findSecretName, type SecretName } from '../../client/names.ts';
import { openSession, type CommandSession } from '../../client/session.ts';
import { printWrapped, wrapOption } from '../../client/wrap.ts';
import { CommandError } from '../../exit-codes.ts';
import { renderTable, textOf } from '../../output.ts';
import { exportCommand, importCommand } from './archive.ts';
import { readersCommand } from './readers.ts';
import { pathOf, secretCommand, versionNumber, versionNumbers, type MountOption } from './secret-command.ts';
import { versionCommands } from './versions.ts';

/** Secrets of a KV version 2 mount: read, write, merge, list, delete; and all secrets, into a file and out of it. */
export function kvCommand(): Command {
  const kv = new Command('kv').description('Read and write secrets');
  kv.addCommand(getCommand())
    .addCommand(writeCommand('put', 'Write a new version of a secret', 'POST'))
    .addCommand(writeCommand('patch', 'Merge fields into a secret; this writes a new version', 'PATCH'))
    .addCommand(diffCommand())
    .addCommand(listCommand())
    .addCommand(deleteCommand())
    .addCommand(readersCommand());
  for (const command of [...versionCommands(), exportCommand(), importCommand()]) kv.addCommand(command);
  return kv;
}

function getCommand(): Command {
  return secretCommand('get', 'Read a secret and show its values')
    .option('--at <version>', 'read this version; default: the newest', versionNumber)
    .option('--field <key>', 'print only the value of this key, unchanged')
    .addOption(wrapOption().conflicts('field'))
    .action(async (name: string, options: MountOption & Reading, command: Command) => {
      const session = openSession(command);
      const { client, output } = session;
      const { at, field, wrapTtl } = options;
      const secret = await findSecretName(client, name, options.mount);
      const path = `${pathOf('data', secret)}${at === undefined ? '' : `?version=${at}`}`;
      if (wrapTtl !== undefined) return printWrapped(session, wrapTtl, { method: 'GET', path });
      const { data } = await client.call('GET', path);
      const values = (data['data'] ?? {}) as Fields;
      if (field === undefined) {
        return output.show(data, () =>
          renderTable(
            ['key', 'value'],
            Object.entries(values).map(([key, value]) => [key, shown(value)]),
          ),
        );
      }
      if (!Object.hasOwn(values, field)) {
        throw new CommandError('notFound', `the secret has no key ${field}`);
      }
      const value = values[field];
      // Adds nothing, so that a file or a pipe gets exactly the value.
      process.stdout.write(typeof value === 'string' ? value : stringifyLossless(value));
    });
}

type Reading = { at?: number; field?: string; wrapTtl?: string };

function writeCommand(verb: string, description: string, method: 'POST' | 'PATCH'): Command {
  return secretCommand(verb, description)
    .argument(
      '<fields...>',
      'key=value, key=@file, key=- (standard input), key:=json, @file or - (a JSON object)',
    )
    .option(
      '--cas <version>',
      'only if this is the newest version; 0: only if there is no version',
      versionNumber,
    )
    .action(
      async (name: string, words: string[], options: MountOption & { cas?: number }, command: Command) => {
        const { client, output } = openSession(command);
        const fields = await readFields(words);
        const secret = await findSecretName(client, name, options.mount);
        const body = {
          data: fields,
          ...(options.cas === undefined ? {} : { options: { cas: options.cas } }),
        };
        const { data } = await client.call(method, pathOf('data', secret), body);
        output.show(data, () => `${secret.mount}/${secret.path} has version ${textOf(data['version'])} now`);
      },
    );
}

function diffCommand(): Command {
  return secretCommand('diff', 'Show which keys differ between two versions; no values are shown')
    .requiredOption('--from <version>', 'the older version', versionNumber)
    .requiredOption('--to <version>', 'the newer version', versionNumber)
    .action(async (name: string, options: MountOption & { from: number; to: number }, command: Command) => {
      const { client, output } = openSession(command);
      const secret = await findSecretName(client, name, options.mount);
      const query = `?from=${options.from}&to=${options.to}`;
      const { data } = await client.call('GET', `${pathOf('diff', secret)}${query}`);
      output.show(data, () => renderTable(['key', 'is'], Object.entries((data['keys'] ?? {}) as Fields)));
    });
}

function listCommand(): Command {
  return new Command('list')
    .description('List the secrets and folders of a folder')
    .argument('<path>', 'mount, or mount/folder')
    .option('-m, --mount <mount>', 'mount of the folder, if the path does not begin with it')
    .action(async (name: string, options: MountOption, command: Command) => {
      const { client, output } = openSession(command);
      const secret = await findSecretName(client, name, options.mount);
      const { data } = await client.call('LIST', pathOf('metadata', secret));
      const keys = (data['keys'] ?? []) as string[];
      output.show(data, () =>
        renderTable(
          ['key'],
          keys.map((key) => [key]),
        ),
      );
    });
}

function deleteCommand(): Command {
  return secretCommand('delete', 'Delete the newest version of a secret; it can be undeleted')
    .option('--versions <numbers>', 'delete these versions instead, comma separated', versionNumbers)
    .option('--destroy', 'with --versions: delete their values for good', false)
    .option('--all', 'delete the secret with all its versions for good', false)
    .action(async (name: string, options: MountOption & Deletion, command: Command) => {
      const { versions, destroy, all } = options;
      if (all && (versions || destroy))
        throw new CommandError('usage', '--all cannot be used with --versions or --destroy');
      if (destroy && !versions) throw new CommandError('usage', '--destroy needs --versions');
      const session = openSession(command);
      const secret = await findSecretName(session.client, name, options.mount);
      await remove(session, secret, options);
      const done = destroy ? 'destroyed' : 'deleted';
      session.output.show({ [done]: true }, () => `${secret.mount}/${secret.path}: ${done}, if it was there`);
    });
}

type Deletion = { versions?: number[]; destroy: boolean; all: boolean };

async function remove(
  { client }: CommandSession,
  secret: SecretName,
  { versions, destroy, all }: Deletion,
): Promise<void> {
  if (all) await client.call('DELETE', pathOf('metadata', secret));
  else if (versions) await client.call('POST', pathOf(destroy ? 'destroy' : 'delete', secret), { versions });
  else await client.call('DELETE', pathOf('data', secret));
}

// In a table a dash stands for nothing. A secret may hold a dash, and an empty text too.
function shown(value: unknown): string {
  if (typeof value !== 'string') return stringifyLossless(value);
  return value === '' || value.startsWith('"') ? JSON.stringify(value) : value;
}
