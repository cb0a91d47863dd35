import { Command } from 'commander';
import type { Fields } from '../client/http.ts';
import { readFields } from '../client/input.ts';
import { openSession } from '../client/session.ts';
import { CommandError } from '../exit-codes.ts';
import { renderFields, renderTable, textOf } from '../output.ts';

const FIELDS = 'key=value, key=@file, key=- (standard input), key:=json, @file or - (a JSON object)';

/** Rules for alerts: list, read, write, delete, test. */
export function alertCommand(): Command {
  return new Command('alert')
    .description('Manage alerts: who is told what, and when')
    .addCommand(listCommand())
    .addCommand(readCommand())
    .addCommand(writeCommand())
    .addCommand(deleteCommand())
    .addCommand(testCommand())
    .addCommand(deliveriesCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description('List the rules, and how each does')
    .action(async (_options, command: Command) => {
      const { client, output } = openSession(command);
      const found = await client.find('LIST', 'sys/alerts');
      const rules = Object.entries((found?.data['key_info'] ?? {}) as Record<string, Fields>).map(
        ([name, state]): Fields => ({ name, ...state }),
      );
      const head = [
        'name',
        'channel',
        'recipients',
        'enabled',
        'muted_until',
        'last_delivered',
        'held',
        'failing',
      ];
      output.show(rules, () =>
        rules.length === 0
          ? 'no rules yet'
          : renderTable(
              head,
              rules.map((rule) =>
                head.map((key) => (key === 'recipients' ? (rule[key] as string[]).join(', ') : rule[key])),
              ),
            ),
      );
    });
}

function readCommand(): Command {
  return namedCommand(
    'read',
    'Show a rule; the address and the secret of a webhook are shown as *****',
  ).action(async (name: string, _options, command: Command) => {
    const { client, output } = openSession(command);
    const { data, revision } = await client.call('GET', pathOf(name));
    const shown = { ...data, ...(revision ? { revision } : {}) };
    output.show(shown, () => renderRule(shown));
  });
}

type Condition = { ifRevision?: string; ifAbsent?: boolean };

function headersOf({ ifRevision, ifAbsent }: Condition): Record<string, string> {
  return {
    ...(ifRevision === undefined ? {} : { 'if-match': `"${ifRevision}"` }),
    ...(ifAbsent ? { 'if-none-match': '*' } : {}),
  };
}

function writeCommand(): Command {
  return namedCommand('write', 'Create a rule, or change it; absent fields keep their values')
    .argument('[fields...]', FIELDS)
    .option('--if-revision <revision>', 'only if the rule still has this revision, as read shows it')
    .option('--if-absent', 'only if the rule does not exist yet')
    .action(async (name: string, words: string[], options: Condition, command: Command) => {
      const { client, output } = openSession(command);
      const fields = await readFields(words);
      const { data, revision } = await client.call('POST', pathOf(name), fields, headersOf(options));
      const shown = { ...data, revision };
      output.show(shown, () => renderRule(shown));
    });
}

function deleteCommand(): Command {
  return namedCommand('delete', 'Delete a rule, with what it held and has not sent')
    .option('--if-revision <revision>', 'only if the rule still has this revision, as read shows it')
    .action(async (name: string, options: Condition, command: Command) => {
      const { client, output } = openSession(command);
      await client.call('DELETE', pathOf(name), undefined, headersOf(options));
      output.show({ deleted: true }, () => `${name}: deleted`);
    });
}

function testCommand(): Command {
  return namedCommand(
    'test',
    'Send a test to every recipient of a rule, with changed fields if some are given; nothing is stored; exit code 1 if one fails',
  )
    .argument('[fields...]', FIELDS)
    .action(async (name: string, words: string[], _options, command: Command) => {
      const { client, output } = openSession(command);
      const { data } = await client.call('POST', `${pathOf(name)}/test`, await readFields(words));
      const tries = data['tries'] as Fields[];
      const head = ['recipient', 'ok', 'detail'];
      output.show(data, () =>
        renderTable(
          head,
          tries.map((one) => head.map((key) => one[key])),
        ),
      );
      if (data['ok'] === false) throw new CommandError('failed', `${name}: the test did not reach everyone`);
    });
}

function deliveriesCommand(): Command {
  return namedCommand('deliveries', 'Show what became of the messages of a rule, newest first')
    .option('--limit <number>', 'maximum number of messages', '20')
    .action(async (name: string, options: { limit: string }, command: Command) => {
      const { client, output } = openSession(command);
      const query = new URLSearchParams({ limit: options.limit });
      const { data } = await client.call('GET', `${pathOf(name)}/deliveries?${query.toString()}`);
      const head = [
        'queued_at',
        'happenings',
        'about',
        'recipient',
        'outcome',
        'attempts',
        'next_try_at',
        'detail',
      ];
      output.show(data, () =>
        renderTable(
          head,
          (data['deliveries'] as Fields[]).map((line) =>
            head.map((key) => {
              const value = line[key];
              return Array.isArray(value) ? [...new Set(value)].join(', ') : value;
            }),
          ),
        ),
      );
    });
}

function namedCommand(verb: string, description: string): Command {
  return new Command(verb).description(description).argument('<name>', 'name of the rule');
}

function pathOf(name: string): string {
  return `sys/alerts/${encodeURIComponent(name)}`;
}

function renderRule(data: Fields): string {
  return renderFields(Object.fromEntries(Object.entries(data).map(([name, value]) => [name, textOf(value)])));
}
