import { Command } from 'commander';
import type { Client, Fields } from '../../client/http.ts';
import { destinationPath, findSecretName } from '../../client/names.ts';
import { openSession } from '../../client/session.ts';
import { CommandError } from '../../exit-codes.ts';
import { renderTable } from '../../output.ts';
import { counted } from '../../../../libs/collections/counted.ts';

const PAGE = 500;
const HEAD = ['mount', 'secret_name', 'outcome', 'error'];
const DONE = new Set(['linked', 'refreshed', 'removing', 'absent']);

/** Links many secrets, by name, or all secrets of a mount with a prefix. */
export function setManyCommand(): Command {
  return new Command('set-many')
    .description('Link many secrets to a destination and keep them in sync')
    .argument('<destination>', 'type/name')
    .argument('[secrets...]', 'mount/path')
    .option('-m, --mount <mount>', 'link all secrets of this mount')
    .option('--prefix <text>', 'with --mount: only secrets whose path starts with this text')
    .action(
      async (
        name: string,
        secrets: string[],
        { mount, prefix }: { mount?: string; prefix?: string },
        command: Command,
      ) => {
        if (secrets.length > 0 === (mount !== undefined))
          throw new CommandError('usage', 'give either secrets or --mount');
        await carryOut(command, `${destinationPath(name)}/associations/set-many`, secrets, {
          mount,
          prefix,
        });
      },
    );
}

/** Unlinks many secrets, by name or by filter. */
export function removeManyCommand(): Command {
  return new Command('remove-many')
    .description('Unlink many secrets from a destination, and delete their entries')
    .argument('<destination>', 'type/name')
    .argument('[secrets...]', 'mount/path')
    .option('--status <status...>', 'only secrets in one of these statuses')
    .option('--cause <code>', 'only secrets that fail with this cause code')
    .option('--prefix <text>', 'only secrets whose mount/path starts with this text')
    .option('--all', 'unlink all secrets of the destination')
    .action(async (name: string, secrets: string[], options: Fields, command: Command) => {
      const path = `${destinationPath(name)}/associations/remove-many`;
      await carryOut(command, path, secrets, options);
    });
}

async function carryOut(command: Command, path: string, names: string[], filter: Fields): Promise<void> {
  const { client, output } = openSession(command);
  const outcomes: Fields[] = [];
  for await (const page of names.length > 0 ? byName(client, path, names) : byFilter(client, path, filter))
    outcomes.push(...page);
  output.show(outcomes, () =>
    outcomes.length === 0
      ? 'no secret matches'
      : renderTable(
          HEAD,
          outcomes.map((one) => HEAD.map((key) => one[key])),
        ),
  );
  const failed = outcomes.filter(({ outcome }) => !DONE.has(String(outcome))).length;
  if (failed > 0)
    throw new CommandError('failed', `${failed} of ${counted(outcomes.length, 'secret')} failed`);
}

async function* byName(client: Client, path: string, names: string[]): AsyncGenerator<Fields[]> {
  const secrets: Fields[] = [];
  for (const name of names) {
    const { mount, path: secretName } = await findSecretName(client, name);
    secrets.push({ mount, secret_name: secretName });
  }
  for (let from = 0; from < secrets.length; from += PAGE)
    yield pageOf(await client.call('POST', path, { secrets: secrets.slice(from, from + PAGE) }));
}

async function* byFilter(client: Client, path: string, filter: Fields): AsyncGenerator<Fields[]> {
  let after: unknown = '';
  do {
    const answer = await client.call('POST', path, { ...filter, after });
    yield pageOf(answer);
    after = answer.data['next_after'];
  } while (after !== null);
}

function pageOf({ data }: { data: Fields }): Fields[] {
  return data['secrets'] as Fields[];
}
