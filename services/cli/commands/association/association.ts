import { Command } from 'commander';
import { counted } from '../../../../libs/collections/counted.ts';
import { fetchDestinations, readAssociations, type Association } from '../../client/destinations.ts';
import type { Fields } from '../../client/http.ts';
import { destinationPath, findSecretName } from '../../client/names.ts';
import { openSession } from '../../client/session.ts';
import { CommandError } from '../../exit-codes.ts';
import { pageLimitOption } from '../../option-values.ts';
import { renderTable } from '../../output.ts';
import { causeOf, renderAttempts } from '../../render-attempts.ts';
import { renderPlan, type PlanOfSecret } from '../../render-plan.ts';
import { removeManyCommand, setManyCommand } from './bulk.ts';
import { isFailed } from '../../status/counts.ts';

type MountOption = { mount?: string };

const PRESENT = '\npresent: unchanged as far as the store tells, which shows no value to compare';
const HEAD = ['secret', 'key', 'external name', 'status', 'cause', 'updated'];

/** Associations: which secret is synced to which destination, and their status. */
export function associationCommand(): Command {
  return new Command('association')
    .description('Manage which secrets are kept in sync with which destination')
    .addCommand(listCommand())
    .addCommand(
      deciding(
        changeCommand(
          'set',
          'Link a secret to a destination and keep it in sync; if it is linked, retry now',
        ),
      ),
    )
    .addCommand(changeCommand('remove', 'Unlink a secret from a destination, and delete its entries'))
    .addCommand(
      changeCommand(
        'withdraw',
        'Withdraw what was asked for about a linked secret and waits for a pause to end, or a decision about its entry while attempts fail',
      ),
    )
    .addCommand(setManyCommand())
    .addCommand(removeManyCommand())
    .addCommand(planCommand())
    .addCommand(changeCommand('verify', 'Compare the entries in the store with what was written'))
    .addCommand(statusCommand())
    .addCommand(historyCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List the associations of one destination, or of all')
    .argument('[destination]', 'type/name')
    .action(async (name: string | undefined, _options, command: Command) => {
      const { client, output } = openSession(command);
      const names =
        name === undefined
          ? (await fetchDestinations(client)).map((one) => `${one.type}/${one.name}`)
          : [name];
      if (name !== undefined) await client.call('GET', destinationPath(name));
      const found: (Association & { destination: string })[] = [];
      for (const destination of names) {
        for await (const page of readAssociations(client, destinationPath(destination))) {
          found.push(...page.map((one) => ({ ...one, destination })));
        }
      }
      const { data } = await client.call('GET', 'sys/schemas');
      const types = data['destinations'] as { type: string; title: string }[];
      const titles = new Map(types.map(({ type, title }) => [type, title]));
      const storeOf = (destination: string): string => titles.get(destination.split('/')[0] ?? '') ?? '';
      output.show(found, () =>
        found.length === 0
          ? 'there are no associations'
          : renderTable(
              ['destination', 'store', ...HEAD],
              found.map((one) => [one.destination, storeOf(one.destination), ...cells(one)]),
            ),
      );
    });
}

type Deciding = { conflictPolicy?: string; keys?: string[]; nameTemplate?: string };

function deciding(command: Command): Command {
  return command
    .option(
      '--conflict-policy <policy>',
      'for this secret and this time alone: overwrite or adopt an entry of that name that is not managed by Sealift',
    )
    .option(
      '--keys <key...>',
      'with --conflict-policy: only the entries of these keys, where each key has an entry of its own',
    )
    .option(
      '--name-template <template>',
      'for this secret alone and from now on: its name in the store, or a template; empty: that of the destination again',
    );
}

function planCommand(): Command {
  return deciding(changeCommand('plan', 'Show what set would write, without writing anything')).option(
    '--look',
    'also ask the store whether entries of others have these names',
  );
}

function changeCommand(
  verb: 'set' | 'remove' | 'withdraw' | 'plan' | 'verify',
  description: string,
): Command {
  return secretCommand(verb, description).action(
    async (
      destination: string,
      name: string,
      options: MountOption & Deciding & { look?: boolean },
      command: Command,
    ) => {
      const { client, output } = openSession(command);
      const path = destinationPath(destination);
      const { mount, path: secret_name } = await findSecretName(client, name, options.mount);
      const { look, conflictPolicy, keys, nameTemplate } = options;
      const body = {
        mount,
        secret_name,
        ...(look ? { look: true } : {}),
        ...(conflictPolicy === undefined ? {} : { conflict_policy: conflictPolicy }),
        ...(keys === undefined ? {} : { keys }),
        ...(nameTemplate === undefined ? {} : { secret_name_template: nameTemplate }),
      };
      const { data } = await client.call('POST', `${path}/associations/${verb}`, body);
      output.show(data, () => renderResult(verb, data));
      const failed = recordsOf(data).filter((one) => isFailed(one.sync_status));
      // What failed before may fail still once something is withdrawn.
      if (failed.length > 0 && verb !== 'withdraw')
        throw new CommandError(
          'failed',
          `${destination}: ${counted(failed.length, 'entry', 'entries')} could not be synced`,
        );
    },
  );
}

function statusCommand(): Command {
  return secretCommand('status', 'Show the status of an association').action(
    async (destination: string, name: string, options: MountOption, command: Command) => {
      const { client, output } = openSession(command);
      const path = destinationPath(destination);
      const secret = await findSecretName(client, name, options.mount);
      const found: Association[] = [];
      for await (const page of readAssociations(client, path)) {
        found.push(...page.filter((one) => one.mount === secret.mount && one.secret_name === secret.path));
      }
      if (found.length === 0)
        throw new CommandError('notFound', 'the secret is not associated with this destination');
      output.show(found, () => renderTable(HEAD, found.map(cells)));
    },
  );
}

function historyCommand(): Command {
  return secretCommand('history', 'Show the sync attempts of an association, newest first')
    .option('--limit <number>', 'maximum number of attempts', pageLimitOption, 20)
    .action(
      async (
        destination: string,
        name: string,
        options: MountOption & { limit: number },
        command: Command,
      ) => {
        const { client, output } = openSession(command);
        const path = destinationPath(destination);
        const { mount, path: secretName } = await findSecretName(client, name, options.mount);
        const query = new URLSearchParams({ mount, secret_name: secretName, limit: String(options.limit) });
        const { data } = await client.call('GET', `${path}/associations/history?${query.toString()}`);
        output.show(data, () => renderAttempts(data['history'] as Fields[]));
      },
    );
}

function secretCommand(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<destination>', 'type/name')
    .argument('<secret>', 'mount/path')
    .option('-m, --mount <mount>', 'mount of the secret, if its name does not begin with it');
}

function renderResult(verb: string, data: Fields): string {
  if (verb === 'plan') return renderPlan([data as PlanOfSecret]);
  const found = data['entries'];
  if (Array.isArray(found)) {
    const rows = found as Fields[];
    const head = Object.keys(rows[0] ?? { entries: null });
    return rows.length === 0
      ? 'no entry in the store'
      : `${renderTable(
          head,
          rows.map((row) => head.map((name) => row[name])),
        )}${rows.some(({ state }) => state === 'present') ? PRESENT : ''}`;
  }
  const records = recordsOf(data);
  if (records.length > 0) return renderTable(HEAD, records.map(cells));
  return verb === 'remove' ? 'removed' : 'nothing to show';
}

function recordsOf(data: Fields): Association[] {
  return Object.values((data['associated_secrets'] ?? {}) as Record<string, Association>);
}

function cells(one: Association): unknown[] {
  return [
    `${one.mount}/${one.secret_name}`,
    one.sub_key,
    one.external_name,
    one.sync_status,
    causeOf(one),
    one.updated_at,
  ];
}
