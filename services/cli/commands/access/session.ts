import { Command } from 'commander';
import { encodePath, type Client, type Fields } from '../../client/http.ts';
import { openSession } from '../../client/session.ts';
import { renderTable } from '../../output.ts';

type Page = { keys: string[]; key_info: Record<string, Fields>; next_after: string | null };

const HEAD = [
  'id',
  'display_name',
  'browser',
  'system',
  'address',
  'accessor',
  'created_time',
  'last_used_time',
  'expire_time',
];

/** Browser sessions: shows who is signed in at the console, and ends a session. */
export function sessionCommand(): Command {
  return new Command('session')
    .description('List and end browser sessions')
    .addCommand(listCommand())
    .addCommand(endCommand());
}

function listCommand(): Command {
  return new Command('list')
    .description("List the sessions of the caller's token; with the capability `list`, all of the namespace")
    .action(async (_options, command: Command) => {
      const { client, output } = openSession(command);
      const sessions = await fetchSessions(client);
      output.show(sessions, () =>
        sessions.length === 0
          ? 'there are no sessions'
          : renderTable(
              HEAD,
              sessions.map((one) => HEAD.map((name) => one[name])),
            ),
      );
    });
}

// In the order of the keys: those of the objects are sorted as numbers.
async function fetchSessions(client: Client): Promise<Fields[]> {
  const sessions: Fields[] = [];
  let after: string | null = null;
  do {
    const query: string = after === null ? '' : `?after=${encodeURIComponent(after)}`;
    const answer = await client.find('LIST', `auth/session${query}`);
    if (!answer) break;
    const { keys, key_info: info, next_after } = answer.data as Page;
    sessions.push(...keys.map((id) => ({ id, ...info[id] })));
    after = next_after;
  } while (after);
  return sessions;
}

function endCommand(): Command {
  return new Command('end')
    .description('End a session')
    .argument('<id>', 'id of the session, as list shows it')
    .action(async (id: string, _options, command: Command) => {
      const { client, output } = openSession(command);
      await client.call('DELETE', `auth/session/${encodePath(id)}`);
      output.show({ ended: true }, () => 'ended');
    });
}
