import { Command } from 'commander';
import type { Fields } from '../../client/http.ts';
import { destinationPath } from '../../client/names.ts';
import { openSession } from '../../client/session.ts';
import { timeOption } from '../../option-values.ts';

type Options = { reason?: string; until?: string };

const AGAIN = 'was paused already; its reason and end are replaced';
const UNTIL = 'when the pause ends automatically, such as 2027-01-31T08:00:00Z; default: never';

/** Pauses a destination. */
export function destinationPauseCommand(): Command {
  return new Command('pause')
    .description(
      'Pause a destination: its changes are kept and wait; nothing is written to or deleted from the store',
    )
    .argument('<destination>', 'type/name')
    .option('--reason <text>', 'why, for those who find it paused')
    .option('--until <time>', UNTIL, timeOption)
    .action((name: string, options: Options, command: Command) =>
      tell(command, `${destinationPath(name)}/pause`, options, ({ was_paused: was }) =>
        was === true ? `${name}: ${AGAIN}` : `${name}: paused`,
      ),
    );
}

/** Resumes a destination. */
export function destinationResumeCommand(): Command {
  return new Command('resume')
    .description('Resume a destination that is paused: what has waited is synced now')
    .argument('<destination>', 'type/name')
    .action((name: string, _options: unknown, command: Command) =>
      tell(command, `${destinationPath(name)}/resume`, {}, ({ was_paused: was }) =>
        was === false ? `${name}: was not paused` : `${name}: resumed`,
      ),
    );
}

/** Pauses syncing as a whole. */
export function pauseCommand(): Command {
  return new Command('pause')
    .description('Pause syncing to all destinations: changes are kept and wait')
    .option('--reason <text>', 'why, for those who find it paused')
    .option('--until <time>', UNTIL, timeOption)
    .action((options: Options, command: Command) =>
      tell(command, 'sys/sync/pause', options, ({ was_paused: was }) =>
        was === true ? `syncing ${AGAIN}` : 'syncing is paused',
      ),
    );
}

/** Resumes syncing as a whole. */
export function resumeCommand(): Command {
  return new Command('resume')
    .description('Resume syncing; destinations that are paused themselves stay so')
    .action((_options: unknown, command: Command) =>
      tell(command, 'sys/sync/resume', {}, ({ was_paused: was }) =>
        was === false ? 'syncing was not paused' : 'syncing is resumed',
      ),
    );
}

async function tell(
  command: Command,
  path: string,
  body: Fields,
  sentence: (answer: Fields) => string,
): Promise<void> {
  const { client, output } = openSession(command);
  const { data } = await client.call('POST', path, body);
  output.show(data, () => sentence(data));
}
