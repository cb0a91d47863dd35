import { Command } from 'commander';
import type { Fields } from '../../client/http.ts';
import { openSession } from '../../client/session.ts';
import { printWrapped, wrapOption } from '../../client/wrap.ts';
import { CommandError } from '../../exit-codes.ts';
import { renderFields } from '../../output.ts';

type Create = {
  policy?: string[];
  ttl?: string;
  name?: string;
  orphan: boolean;
  renewable: boolean;
  wrapTtl?: string;
};

/**
 * Tokens: create, look up, renew, revoke. The caller's own token comes from the environment; others are named by
 * accessor.
 */
export function tokenCommand(): Command {
  return new Command('token')
    .description('Create, look up, renew and revoke tokens')
    .addCommand(createCommand())
    .addCommand(lookupCommand())
    .addCommand(renewCommand())
    .addCommand(revokeCommand());
}

function createCommand(): Command {
  return new Command('create')
    .description('Create a token and print it; it is never shown again')
    .option('-p, --policy <names...>', "policies of the token; default: the caller's own")
    .option('--ttl <duration>', 'how long the token lives: seconds, or a duration such as 1h30m')
    .option('--name <text>', 'display name of the token')
    .option('--orphan', "the token stays valid when the caller's token ends; needs sudo", false)
    .option('--no-renewable', 'the token cannot be renewed')
    .addOption(wrapOption())
    .action(async (options: Create, command: Command) => {
      const session = openSession(command);
      const { policy, ttl, name, orphan, renewable, wrapTtl } = options;
      const path = orphan ? 'auth/token/create-orphan' : 'auth/token/create';
      const body = {
        ...(policy ? { policies: policy } : {}),
        ...(ttl === undefined ? {} : { ttl }),
        ...(name === undefined ? {} : { display_name: name }),
        renewable,
      };
      if (wrapTtl !== undefined) return printWrapped(session, wrapTtl, { method: 'POST', path, body });
      const { data } = await session.client.call('POST', path, body);
      const { client_token: token, accessor, policies, lease_duration: ttlSeconds } = data;
      const shown: Fields = {
        token,
        accessor,
        policies,
        ttl_seconds: ttlSeconds,
        renewable: data['renewable'],
      };
      session.output.show(shown, () => renderFields(shown));
    });
}

function lookupCommand(): Command {
  return withAccessor('lookup', "Show the caller's own token, or the token of an accessor").action(
    async (options: { accessor?: string }, command: Command) => {
      const { client, output } = openSession(command);
      const { accessor } = options;
      const { data } =
        accessor === undefined
          ? await client.call('GET', 'auth/token/lookup-self')
          : await client.call('POST', 'auth/token/lookup-accessor', { accessor });
      const { id: _secret, ...shown } = data;
      output.show(shown, () => renderFields(shown));
    },
  );
}

function renewCommand(): Command {
  return new Command('renew')
    .description("Renew the caller's own token")
    .option('--ttl <duration>', 'how long the token lives from now; default: its original ttl')
    .action(async (options: { ttl?: string }, command: Command) => {
      const { client, output } = openSession(command);
      const body = options.ttl === undefined ? {} : { increment: options.ttl };
      const { data } = await client.call('POST', 'auth/token/renew-self', body);
      const shown = { accessor: data['accessor'], ttl_seconds: data['lease_duration'] };
      output.show(shown, () => renderFields(shown));
    });
}

function revokeCommand(): Command {
  return withAccessor('revoke', 'Revoke a token and its child tokens')
    .option('--self', "revoke the caller's own token", false)
    .action(async (options: { accessor?: string; self: boolean }, command: Command) => {
      const { accessor, self } = options;
      if (self === (accessor !== undefined))
        throw new CommandError('usage', 'give either --accessor or --self');
      const { client, output } = openSession(command);
      if (self) await client.call('POST', 'auth/token/revoke-self', {});
      else await client.call('POST', 'auth/token/revoke-accessor', { accessor });
      output.show({ revoked: true }, () => 'revoked');
    });
}

function withAccessor(verb: string, description: string): Command {
  return new Command(verb).description(description).option('--accessor <accessor>', 'accessor of the token');
}
