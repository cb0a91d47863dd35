import { Command } from 'commander';
import { incidentEndText, type EndedIncident } from '../../../libs/telling/incident-end.ts';
import type { Fields } from '../client/http.ts';
import { destinationPath } from '../client/names.ts';
import { openSession } from '../client/session.ts';
import { renderTable, textOf } from '../output.ts';
import { limitOption, timeOption } from '../option-values.ts';

type Options = {
  since?: string;
  until?: string;
  cause?: string;
  open: boolean;
  after?: string;
  limit: string;
};

type Telling = { rule: string | null; deleted: boolean; at: string; earlier: boolean };

/** What failed, from when until when, and how it ended. */
export function incidentsCommand(): Command {
  return new Command('incidents')
    .description('Show what failed, from when until when, and whether it healed; the latest first')
    .argument('[destination]', 'type/name; default: all destinations')
    .option(
      '--since <time>',
      'only what was open at this time, such as 2026-01-02T03:04:05Z, or began later',
      timeOption,
    )
    .option('--until <time>', 'only what began before this time', timeOption)
    .option('--cause <code>', 'only this cause')
    .option('--open', 'only what is open', false)
    .option('--after <id>', 'continue after this incident')
    .option('--limit <number>', 'maximum number of incidents', limitOption, '50')
    .action(async (destination: string | undefined, options: Options, command: Command) => {
      const { client, output } = openSession(command);
      const { open, ...given } = options;
      const query = new URLSearchParams({ ...given, ...(open ? { open: 'true' } : {}) });
      const base = destination === undefined ? 'sys/sync' : destinationPath(destination);
      const { data } = await client.call('GET', `${base}/incidents?${query.toString()}`);
      const incidents = data['incidents'] as Fields[];
      output.show(data, () =>
        incidents.length === 0
          ? 'no incidents'
          : renderTable(
              ['opened', 'closed', 'destination', 'cause', 'links', 'ended', 'told by'],
              incidents.map(rowOf),
            ),
      );
      const next = data['next_after'];
      if (next !== null) output.note(`there are more: --after ${textOf(next)}`);
    });
}

function rowOf(incident: Fields): unknown[] {
  const { type, name } = (incident['destination'] ?? {}) as Fields;
  const { code } = incident['cause'] as Fields;
  const tellings = incident['told'] as Telling[];
  return [
    incident['opened_at'],
    incident['closed_at'] ?? 'open',
    type === undefined ? 'deleted' : `${textOf(type)}/${textOf(name)}`,
    code,
    incident['most'],
    incidentEndText(incident as EndedIncident),
    tellings.map(describeTelling).join(', '),
  ];
}

function describeTelling({ rule, deleted, at, earlier }: Telling): string {
  const name = `${rule ?? 'a rule set elsewhere'}${deleted ? ' (deleted)' : ''}`;
  return `${name} ${at}${earlier ? ' (earlier incident)' : ''}`;
}
