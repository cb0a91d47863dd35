import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordProcess } from '../../deploy/local/processes.ts';
import { eventually } from '../support/eventually.ts';
import { reservePort } from './port.ts';

const compiled = fileURLToPath(new URL('../..', import.meta.url));
const RESTART_MS = 200;

/** A process that is started again whenever it ends, as a supervisor of services does it. */
export type Supervised = {
  name: string;
  /** Ends it once with this signal; resolves when it has ended. */
  kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Stops it in the middle of whatever it does; the answer lets that same life go on. */
  freeze: () => () => void;
  /** Sends it a message and resolves with its answer; with nothing where it ends before. */
  tell: (message: object) => Promise<unknown>;
  ready: () => Promise<void>;
  /** What it says it lacks at this moment. Throws where it does not run. */
  missing: () => Promise<string[]>;
  /** Ends it for good; its exit code, or null where a signal ended it. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  pid: () => number | undefined;
  /** The most memory that any of its lives used so far, in kB. */
  peakKb: () => number;
  /** How often it ended without having been told to by `stop`. */
  ends: () => number;
};

/**
 * Keeps a program running, with a health port of its own; what it writes goes to `log`. `program` is a path among the compiled
 * files of this version, or an absolute one.
 */
export async function supervise(options: {
  name: string;
  program: string;
  words?: readonly string[];
  /** Asked for at each start. */
  environment: () => Record<string, string>;
  log: string;
}): Promise<Supervised> {
  const { name, words = [] } = options;
  const program = [resolve(compiled, options.program), ...words];
  const port = await reservePort();
  const log = createWriteStream(options.log, { flags: 'a' });
  const begin = (): ChildProcess => {
    const child = start(program, { ...options.environment(), HEALTH_PORT: String(port) }, log);
    // Whoever discards the folder behind a run that was killed ends it too, also where it stands still.
    if (child.pid !== undefined)
      recordProcess({ directory: join(dirname(options.log), 'processes'), name, pid: child.pid });
    return child;
  };
  let child = begin();
  let stopping = false;
  let ends = 0;
  let peak = 0;
  let restart: NodeJS.Timeout | undefined;
  const measure = (): void => {
    peak = Math.max(peak, readPeak(child.pid));
  };
  const sampler = setInterval(measure, 500);
  const watch = (): void => {
    child.once('exit', () => {
      if (stopping) return;
      ends += 1;
      restart = setTimeout(() => {
        child = begin();
        watch();
      }, RESTART_MS);
    });
  };
  watch();
  return {
    name,
    pid: () => child.pid,
    peakKb: () => {
      measure();
      return peak;
    },
    ends: () => ends,
    kill: (signal) => end(child, signal),
    freeze: () => {
      const frozen = child;
      frozen.kill('SIGSTOP');
      return () => void frozen.kill('SIGCONT');
    },
    tell: (message) => ask(child, message),
    ready: async () => {
      await eventually(async () => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok, {
        limitMs: 240_000,
        everyMs: 50,
      });
    },
    missing: async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
      return ((await answer.json()) as { missing: string[] }).missing;
    },
    stop: async (signal = 'SIGKILL') => {
      stopping = true;
      clearTimeout(restart);
      clearInterval(sampler);
      await end(child, signal);
      log.end();
      return child.exitCode;
    },
  };
}

function start(program: string[], environment: Record<string, string>, log: WriteStream): ChildProcess {
  const child = spawn(process.execPath, ['--enable-source-maps', ...program], {
    env: { PATH: process.env['PATH'], ...environment },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stdout?.pipe(log, { end: false });
  child.stderr?.pipe(log, { end: false });
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

async function ask(child: ChildProcess, message: object): Promise<unknown> {
  if (!child.connected) return undefined;
  const answered = new AbortController();
  const { signal } = answered;
  const answer = Promise.race([
    once(child, 'message', { signal }).then(([reply]: unknown[]) => reply),
    once(child, 'disconnect', { signal }).then(() => undefined),
  ]);
  // Where it cannot be sent, the end of the process is on its way.
  child.send(message, () => undefined);
  try {
    return await answer;
  } finally {
    answered.abort();
  }
}

// Linux tells it; elsewhere nothing is known.
function readPeak(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
