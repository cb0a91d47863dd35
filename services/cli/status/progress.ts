import { SingleBar } from 'cli-progress';
import { counted } from '../../../libs/collections/counted.ts';
import { tellWaiting, type CountSummary } from './counts.ts';

/** Shows the progress until nothing is under way; `stop` leaves the last state on the screen. */
export type Progress = { show: (summary: CountSummary) => void; stop: () => void };

const FORMAT =
  '{bar} {percentage}% | {value} of {links} done | {underWay}, {failed} failed | {duration_formatted}';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A moving bar on a terminal, which reaches its end only if nothing failed; elsewhere one line for each change, so that a log shows the progress. */
export function createProgress(stream: NodeJS.WritableStream, options: { isTerminal: boolean }): Progress {
  return options.isTerminal ? createBar(stream) : createLines(stream);
}

function createBar(stream: NodeJS.WritableStream): Progress {
  const bar = new SingleBar({
    format: FORMAT,
    stream,
    barCompleteChar: '█',
    barIncompleteChar: '░',
    hideCursor: true,
    // The caller has already checked whether it is a terminal.
    noTTYOutput: true,
  });
  let isStarted = false;
  // The bar hides the cursor; without this a signal would leave it hidden.
  const quit = (signal: NodeJS.Signals): void => {
    stop();
    process.kill(process.pid, signal);
  };
  const stop = (): void => {
    for (const signal of SIGNALS) process.removeListener(signal, quit);
    bar.stop();
  };
  for (const signal of SIGNALS) process.once(signal, quit);
  return {
    show: (summary) => {
      const { total, settled, failed } = summary;
      const payload = { links: counted(total, 'link'), underWay: tellWaiting(summary), failed };
      if (!isStarted) bar.start(total, settled, payload);
      isStarted = true;
      bar.setTotal(total);
      bar.update(settled, payload);
    },
    stop,
  };
}

function createLines(stream: NodeJS.WritableStream): Progress {
  let last = '';
  return {
    show: (summary) => {
      const { total, settled, failed } = summary;
      const line = `${settled} of ${counted(total, 'link')} done, ${tellWaiting(summary)}, ${failed} failed`;
      if (line !== last) stream.write(`${line}\n`);
      last = line;
    },
    stop: () => undefined,
  };
}
