import { Command } from 'commander';
import type { Fields } from '../../client/http.ts';
import { fetchDestinations } from '../../client/destinations.ts';
import { readFields } from '../../client/input.ts';
import { destinationPath, findSecretName } from '../../client/names.ts';
import { openSession } from '../../client/session.ts';
import { CommandError } from '../../exit-codes.ts';
import { destinationAttemptsCommand } from './attempts.ts';
import { destinationPauseCommand, destinationResumeCommand } from './pause.ts';
import { printable, renderFields, renderTable, textOf } from '../../output.ts';
import { renderPlan, type PlanOfSecret } from '../../render-plan.ts';

const FIELDS = 'key=value, key=@file, key=- (standard input), key:=json, @file or - (a JSON object)';

/** Destinations: list, read, create or replace, change, delete, check, pause. */
export function destinationCommand(): Command {
  return new Command('destination')
    .description('Manage destinations: the stores that secrets are synced to')
    .addCommand(listCommand())
    .addCommand(getCommand())
    .addCommand(writeCommand('put', 'Create a destination, or replace its settings', 'POST'))
    .addCommand(
      writeCommand('patch', 'Change some settings of a destination; key:=null removes one', 'PATCH'),
    )
    .addCommand(deleteCommand())
    .addCommand(checkCommand())
    .addCommand(planCommand())
    .addCommand(destinationPauseCommand())
    .addCommand(destinationResumeCommand())
    .addCommand(identityCommand())
    .addCommand(historyCommand())
    .addCommand(destinationAttemptsCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List all destinations')
    .action(async (_options, command: Command) => {
      const { client, output } = openSession(command);
      const names = await fetchDestinations(client);
      output.show(names, () =>
        names.length === 0
          ? 'no destinations yet'
          : renderTable(
              ['type', 'name'],
              names.map(({ type, name }) => [type, name]),
            ),
      );
    });
}

function getCommand(): Command {
  return namedCommand('get', 'Show a destination; its credentials are shown as *****').action(
    async (name: string, _options, command: Command) => {
      const { client, output } = openSession(command);
      const { data, revision } = await client.call('GET', destinationPath(name));
      const changed = await client.find('GET', `sys/revisions/${destinationPath(name)}`);
      // The revision of what is shown counts: a change may come between the two calls.
      const shown = { ...data, ...changed?.data, revision };
      output.show(shown, () => renderDestination(shown));
    },
  );
}

type Condition = { ifRevision?: string; ifAbsent?: boolean };

// The API changes nothing if someone else changed it first.
function headersOf({ ifRevision, ifAbsent }: Condition): Record<string, string> {
  return {
    ...(ifRevision === undefined ? {} : { 'if-match': `"${ifRevision}"` }),
    ...(ifAbsent ? { 'if-none-match': '*' } : {}),
  };
}

function writeCommand(verb: string, description: string, method: 'POST' | 'PATCH'): Command {
  const command = namedCommand(verb, description)
    .argument('[fields...]', FIELDS)
    .option('--if-revision <revision>', 'only if the destination still has this revision, as get shows it')
    .action(async (name: string, words: string[], options: Condition, own: Command) => {
      const { client, output } = openSession(own);
      const fields = await readFields(words);
      const { data, revision } = await client.call(method, destinationPath(name), fields, headersOf(options));
      const shown = { ...data, revision };
      output.show(shown, () => renderDestination(shown));
    });
  return method === 'POST'
    ? command.option('--if-absent', 'only if the destination does not exist yet')
    : command;
}

type Removal = Condition & { purge: boolean; force: boolean };

function deleteCommand(): Command {
  return namedCommand('delete', 'Delete a destination; with associations, only with --purge or --force')
    .option('--purge', 'first delete all its entries in the store; this continues in the background', false)
    .option('--force', 'leave its entries in the store', false)
    .option('--if-revision <revision>', 'only if the destination still has this revision, as get shows it')
    .action(async (name: string, options: Removal, command: Command) => {
      if (options.purge && options.force) throw new CommandError('usage', 'give either --purge or --force');
      const { client, output } = openSession(command);
      const query = options.purge ? '?purge=true' : options.force ? '?force_delete=true' : '';
      const { data } = await client.call(
        'DELETE',
        `${destinationPath(name)}${query}`,
        undefined,
        headersOf(options),
      );
      const isPurging = data['purge_initiated_at'] !== undefined;
      output.show({ deleted: !isPurging, purging: isPurging }, () =>
        isPurging
          ? `${name}: deleting its entries; sealift status --watch shows the progress`
          : `${name}: deleted`,
      );
    });
}

function checkCommand(): Command {
  return namedCommand(
    'check',
    'Test the credentials of a destination, with changed settings if fields are given; nothing is stored; exit code 1 if they do not work',
  )
    .argument('[fields...]', FIELDS)
    .action(async (name: string, words: string[], _options, command: Command) => {
      const { client, output } = openSession(command);
      const { data } = await client.call('POST', `${destinationPath(name)}/check`, await readFields(words));
      output.show(data, () => renderCheck(data));
      if (data['ok'] === false) throw new CommandError('failed', `${name}: the connection test failed`);
    });
}

// The message in a paragraph of its own: in a table nobody can read it.
function renderCheck({ cause, ...fields }: Fields): string {
  if (typeof cause !== 'object' || cause === null) return renderFields(fields);
  const { message, ...rest } = cause as Fields;
  return `${renderFields({ ...fields, ...rest })}\n\n${printable(textOf(message))}`;
}

type PlanOptions = { secret?: string[]; look?: boolean };

function planCommand(): Command {
  return namedCommand('plan', 'Show what a new or changed destination would write; nothing is stored')
    .argument('[fields...]', FIELDS)
    .option('--secret <secrets...>', 'secrets to link, as mount/path; default: the linked secrets')
    .option('--look', 'also ask the store whether entries of others have these names')
    .action(async (name: string, words: string[], options: PlanOptions, command: Command) => {
      const { client, output } = openSession(command);
      const secrets = await Promise.all((options.secret ?? []).map((one) => findSecretName(client, one)));
      const body = {
        ...(words.length > 0 ? { destination: await readFields(words) } : {}),
        ...(options.secret
          ? { secrets: secrets.map(({ mount, path }) => ({ mount, secret_name: path })) }
          : {}),
        look: options.look === true,
      };
      const { data } = await client.call('POST', `${destinationPath(name)}/plan`, body);
      output.show(data, () => renderPlan(data['secrets'] as PlanOfSecret[]));
    });
}

function identityCommand(): Command {
  return namedCommand(
    'identity',
    'Show what the trust at its store must name: issuer (iss), subject (sub) and audience (aud) of its tokens',
  ).action(async (name: string, _options, command: Command) => {
    const { client, output } = openSession(command);
    const { data } = await client.call('GET', `${destinationPath(name)}/identity`);
    output.show(data, () => renderFields(data));
  });
}

function historyCommand(): Command {
  return namedCommand('history', 'Show who changed a destination or its associations, newest first')
    .option('--limit <number>', 'maximum number of changes', '20')
    .action(async (name: string, options: { limit: string }, command: Command) => {
      const { client, output } = openSession(command);
      const query = new URLSearchParams({ limit: options.limit });
      const { data } = await client.call('GET', `${destinationPath(name)}/history?${query.toString()}`);
      const head = ['at', 'actor', 'action', 'outcome', 'detail'];
      output.show(data, () =>
        renderTable(
          head,
          (data['history'] as Fields[]).map((line) => head.map((key) => line[key])),
        ),
      );
    });
}

function namedCommand(verb: string, description: string): Command {
  return new Command(verb).description(description).argument('<destination>', 'type/name');
}

function renderDestination(data: Fields): string {
  const { connection_details: details, options, ...own } = data;
  const flat = { ...own, ...(details as Fields), ...(options as Fields) };
  return renderFields(Object.fromEntries(Object.entries(flat).map(([name, value]) => [name, textOf(value)])));
}
