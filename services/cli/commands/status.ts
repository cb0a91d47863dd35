import { Command, InvalidArgumentError } from 'commander';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '../client/http.ts';
import { openSession } from '../client/session.ts';
import { CommandError } from '../exit-codes.ts';
import { counted } from '../../../libs/collections/counted.ts';
import { renderTable, type Output } from '../output.ts';
import { parseDuration } from '../../../libs/validation/duration.ts';
import { findIdleWorkers } from '../status/idle-workers.ts';
import { addUp, countStatuses, tellWaiting, type DestinationCounts } from '../status/counts.ts';

// Each look reads all associations, so a larger installation is looked at less often.
const LEAST_REST = 4;

type Options = { watch: boolean; interval: number; timeout?: number };

/**
 * The number of links in each status. With `--watch`, runs until nothing is under way, throttled links included; exit
 * code 1 if some failed, or after `--timeout`.
 */
export function statusCommand(): Command {
  return new Command('status')
    .description(
      'Count the links that are synced, pending and failed; a link is one secret at one destination',
    )
    .argument('[destination]', 'type/name; default: all destinations')
    .option(
      '-w, --watch',
      'show the progress until nothing is pending or rate-limited; exit code 1 if something failed',
      false,
    )
    .option('--interval <duration>', 'with --watch: time between two checks, such as 5s', seconds, 1)
    .option(
      '--timeout <duration>',
      'with --watch: give up after this time, such as 5m, with exit code 1; otherwise it waits for throttled links too, however long',
      seconds,
    )
    .action(async (destination: string | undefined, options: Options, command: Command) => {
      const { client, output } = openSession(command);
      const counts = options.watch
        ? await watch(client, { ...options, destination, output })
        : await countStatuses(client, destination);
      const idle = await findIdleWorkers(client);
      show(output, counts, { idle_workers: idle });
      if (idle.length > 0)
        output.note(
          `no worker runs: ${idle.join(', ')}; changes wait; start them with: ${idle.map((name) => `sealift serve ${name}`).join(', ')}`,
        );
      const summary = addUp(counts);
      const { failed, waiting } = summary;
      if (!options.watch) return;
      if (waiting > 0) throw new CommandError('failed', `not done in time: ${tellWaiting(summary)}`);
      if (failed > 0)
        throw new CommandError(
          'failed',
          `${counted(failed, 'link')} failed: sealift association list shows why`,
        );
    });
}

async function watch(
  client: Client,
  options: Options & { destination: string | undefined; output: Output },
): Promise<DestinationCounts[]> {
  const { destination, output, interval, timeout } = options;
  const end = timeout === undefined ? Infinity : performance.now() + timeout * 1000;
  const { createProgress } = await import('../status/progress.ts');
  const progress = createProgress(process.stderr, { isTerminal: process.stderr.isTTY });
  try {
    for (;;) {
      const begin = performance.now();
      const counts = await countStatuses(client, destination);
      const summary = addUp(counts);
      if (!output.json) progress.show(summary);
      if (summary.waiting === 0 || performance.now() > end) return counts;
      // One line for each look; the last one is the result.
      if (output.json) show(output, counts);
      await sleep(Math.max(interval * 1000, (performance.now() - begin) * LEAST_REST));
    }
  } finally {
    progress.stop();
  }
}

function show(output: Output, counts: DestinationCounts[], more: Record<string, unknown> = {}): void {
  const summary = addUp(counts);
  output.show({ ...summary, ...more, destinations: counts }, () => {
    if (counts.length === 0) return 'there are no destinations';
    const statuses = [...new Set(counts.flatMap((one) => Object.keys(one.statuses)))].toSorted();
    const hasCauses = counts.some(({ causes }) => Object.keys(causes).length > 0);
    const row = (name: string, total: number, by: (status: string) => number, why: string) => [
      name,
      String(total),
      ...statuses.map((status) => String(by(status))),
      ...(hasCauses ? [why] : []),
    ];
    const rows = counts.map((one) =>
      row(one.destination, one.total, (status) => one.statuses[status] ?? 0, tellCauses(one)),
    );
    const sum = (status: string) => counts.reduce((total, one) => total + (one.statuses[status] ?? 0), 0);
    if (counts.length > 1) rows.push(row('all', summary.total, sum, ''));
    return renderTable(['destination', 'links', ...statuses, ...(hasCauses ? ['why'] : [])], rows);
  });
}

// The most frequent cause first.
function tellCauses({ causes }: DestinationCounts): string {
  return Object.entries(causes)
    .toSorted(([, left], [, right]) => right - left)
    .map(([code, count]) => `${count} ${code}`)
    .join(', ');
}

function seconds(text: string): number {
  // A fraction of a second has no unit.
  const value = /^[\d.]+$/.test(text) ? Number(text) : parseDuration(text);
  if (value === undefined || !(value > 0) || value > 86_400)
    throw new InvalidArgumentError('It must be seconds or a duration such as 15s or 5m, at most 24h.');
  return value;
}
