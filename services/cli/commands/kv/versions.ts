import type { Command } from 'commander';
import { CommandError, exitCodes } from '../../exit-codes.ts';
import { encodePath, type Client, type Fields } from '../../client/http.ts';
import { findSecretName, type SecretName } from '../../client/names.ts';
import { openSession } from '../../client/session.ts';
import { renderFields, renderTable, textOf } from '../../output.ts';
import { pathOf, secretCommand, versionNumber, versionNumbers, type MountOption } from './secret-command.ts';

// Where neither the secret nor its mount says how many.
const MOST_VERSIONS = 10;

/** What happened to the versions of a secret, and taking it back; no values are shown. */
export function versionCommands(): Command[] {
  return [historyCommand(), undeleteCommand(), destroyCommand(), rollbackCommand(), metadataCommand()];
}

type Version = {
  created_time: string;
  created_by: { actor: string } | null;
  deletion_time: string;
  destroyed: boolean;
};

function historyCommand(): Command {
  return secretCommand('history', 'Show the versions of a secret, newest first; no values are shown').action(
    async (name: string, options: MountOption, command: Command) => {
      const { client, output } = openSession(command);
      const secret = await findSecretName(client, name, options.mount);
      const { data } = await client.call('GET', pathOf('metadata', secret));
      const versions = Object.entries((data['versions'] ?? {}) as Record<string, Version>).reverse();
      output.show(data, () =>
        renderTable(
          ['version', 'written', 'by', 'state'],
          versions.map(([number, version]) => [
            number,
            version.created_time,
            version.created_by?.actor,
            stateOf(version),
          ]),
        ),
      );
    },
  );
}

function stateOf({ destroyed, deletion_time: time }: Version): string {
  if (destroyed) return 'destroyed';
  if (time === '') return '';
  return new Date(time).getTime() > Date.now() ? `will be deleted ${time}` : `deleted ${time}`;
}

function undeleteCommand(): Command {
  return secretCommand('undelete', 'Undelete the newest version of a secret')
    .option('--versions <numbers>', 'undelete these versions instead, comma separated', versionNumbers)
    .action(async (name: string, options: MountOption & { versions?: number[] }, command: Command) => {
      const { client, output } = openSession(command);
      const secret = await findSecretName(client, name, options.mount);
      const versions = options.versions ?? [await newestOf()];
      await client.call('POST', pathOf('undelete', secret), { versions });
      output.show({ undeleted: versions }, () => `${secret.mount}/${secret.path}: undeleted`);

      async function newestOf(): Promise<number> {
        const { data } = await client.call('GET', pathOf('metadata', secret));
        return Number(data['current_version']);
      }
    });
}

function destroyCommand(): Command {
  return secretCommand('destroy', 'Delete the values of versions for good')
    .requiredOption('--versions <numbers>', 'versions, comma separated', versionNumbers)
    .action(async (name: string, options: MountOption & { versions: number[] }, command: Command) => {
      const { client, output } = openSession(command);
      const secret = await findSecretName(client, name, options.mount);
      await client.call('POST', pathOf('destroy', secret), { versions: options.versions });
      output.show({ destroyed: options.versions }, () => `${secret.mount}/${secret.path}: destroyed`);
    });
}

function rollbackCommand(): Command {
  return secretCommand('rollback', 'Write the values of an earlier version as a new version')
    .requiredOption('--to <version>', 'the version whose values to write', versionNumber)
    .option('--cas <version>', 'only if this is the newest version', versionNumber)
    .action(async (name: string, options: MountOption & { to: number; cas?: number }, command: Command) => {
      const { client, output } = openSession(command);
      const secret = await findSecretName(client, name, options.mount);
      const { data } = await client.call('POST', pathOf('rollback', secret), {
        version: options.to,
        ...(options.cas === undefined ? {} : { options: { cas: options.cas } }),
      });
      output.show(
        data,
        () =>
          `${secret.mount}/${secret.path} has version ${textOf(data['version'])} now, with the values of ${options.to}`,
      );
    });
}

type MetadataOptions = MountOption & {
  maxVersions?: number;
  casRequired?: boolean;
  deleteVersionAfter?: string;
  custom: [string, string][];
  removeCustom: string[];
};

const word = (key: string, before: string[]): string[] => [...before, key];

function customText(text: string, before: [string, string][]): [string, string][] {
  const split = text.indexOf('=');
  if (split < 1) throw new CommandError('usage', 'write custom metadata as key=text');
  return [...before, [text.slice(0, split), text.slice(split + 1)]];
}

function metadataCommand(): Command {
  return secretCommand('metadata', 'Show the limits and custom metadata of a secret, or change them')
    .option(
      '--max-versions <number>',
      'keep this many versions; 0: as many as the mount says, or 10',
      versionNumber,
    )
    .option('--cas-required', 'each write must name the newest version')
    .option('--no-cas-required', 'a write may leave that out')
    .option('--delete-version-after <duration>', 'delete each version after this time, such as 30d; 0: never')
    .option('--custom <key=text>', 'set custom metadata; may be repeated', customText, [])
    .option('--remove-custom <key>', 'remove custom metadata; may be repeated', word, [])
    .action(async (name: string, options: MetadataOptions, command: Command) => {
      const { client, output } = openSession(command);
      const secret = await findSecretName(client, name, options.mount);
      const patch = patchOf(options);
      if (Object.keys(patch).length > 0) await client.call('PATCH', pathOf('metadata', secret), patch);
      const { data } = await client.call('GET', pathOf('metadata', secret));
      const { versions: _versions, ...shown } = data;
      const inherited = Number(shown['max_versions']) === 0 ? await describeInherited(client, secret) : null;
      output.show(shown, () =>
        renderFields(inherited === null ? shown : { ...shown, max_versions: `0: ${inherited}` }),
      );
    });
}

// What applies where a secret sets no limit. A caller without a right to the limits of the mount sees no number.
async function describeInherited(client: Client, { mount }: SecretName): Promise<string> {
  const config = await client.find('GET', `${encodePath(mount)}/config`).catch((error: unknown) => {
    if (error instanceof CommandError && error.exitCode === exitCodes.denied) return undefined;
    throw error;
  });
  if (!config) return 'as the mount says';
  // Numbers keep their digits, so they are no numbers of JavaScript.
  const most = Number(config.data['max_versions']);
  return most === 0 ? `as the mount says, the usual ${MOST_VERSIONS}` : `as the mount says, ${most}`;
}

function patchOf(options: MetadataOptions): Fields {
  const custom = [...options.custom, ...options.removeCustom.map((key) => [key, null])];
  return {
    ...(options.maxVersions === undefined ? {} : { max_versions: options.maxVersions }),
    ...(options.casRequired === undefined ? {} : { cas_required: options.casRequired }),
    ...(options.deleteVersionAfter === undefined ? {} : { delete_version_after: options.deleteVersionAfter }),
    ...(custom.length > 0 ? { custom_metadata: Object.fromEntries(custom) } : {}),
  };
}
