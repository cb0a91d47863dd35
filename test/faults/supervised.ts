import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readFileSync, type WriteStream } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordProcess } from '../../deploy/local/processes.ts';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../libs/service/runtime.ts';
import { compileCache } from '../support/compile-cache.ts';
import { eventually } from '../support/eventually.ts';
import { RecoveryError } from './fault.ts';
import { choosePort } from '../../deploy/local/ports.ts';

const compiled = fileURLToPath(new URL('../..', import.meta.url));
const RESTART_MS = 200;
const READY_LIMIT_MS = 240_000;

/** A process that is restarted whenever it ends, as by a service supervisor. */
export type Supervised = {
  name: string;
  /** Sends it a signal that ends it once. Resolves when it has ended. */
  kill: (signal: NodeJS.Signals) => Promise<void>;
  /** Suspends it at once. The returned function resumes that same process. */
  freeze: () => () => void;
  /** Sends it a message and resolves with its answer; with undefined if it ends first. */
  tell: (message: object) => Promise<unknown>;
  ready: () => Promise<void>;
  /** The reasons why it is not ready now. Throws if it does not run. */
  missing: () => Promise<string[]>;
  /** Ends it for good. Returns its exit code, or null if a signal ended it. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
  pid: () => number | undefined;
  /** The highest memory of all its runs so far, in kB. */
  peakKb: () => number;
  /** How often it ended without a call of `stop`. */
  ends: () => number;
};

/**
 * Keeps a program running. It has its own health port and writes its output to `log`. `program` is a path among the
 * compiled files of this version, or an absolute path.
 */
export async function supervise(options: {
  name: string;
  program: string;
  words?: readonly string[];
  /** Called at each start. */
  environment: () => Record<string, string>;
  log: string;
}): Promise<Supervised> {
  const { name, words = [] } = options;
  const program = [resolve(compiled, options.program), ...words];
  const port = await choosePort(undefined);
  const log = createWriteStream(options.log, { flags: 'a' });
  const begin = (): ChildProcess => {
    const child = start(program, { ...options.environment(), HEALTH_PORT: String(port) }, log);
    // Recorded, so that discarding the folder of a killed run ends it too, even if it is suspended.
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
  const missing = async (): Promise<string[]> => {
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`);
    return ((await answer.json()) as { missing: string[] }).missing;
  };
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
      const isReady = async (): Promise<boolean> => (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok;
      await eventually(isReady, { limitMs: READY_LIMIT_MS, everyMs: 50 }).catch(async () => {
        const reason = await missing().then(
          (names) => `it misses ${names.join(', ')}`,
          () => 'it does not answer',
        );
        const story = `${reason}; it ended ${ends} times; its last line: ${lastLine(options.log)}`;
        throw new RecoveryError(`${name} was not ready within ${READY_LIMIT_MS} ms: ${story}`);
      });
    },
    missing,
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

function lastLine(log: string): string {
  return readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '';
}

function start(program: string[], environment: Record<string, string>, log: WriteStream): ChildProcess {
  const child = spawn(process.execPath, [...NODE_FLAGS, ...program], {
    env: { PATH: process.env['PATH'], ...NODE_ENVIRONMENT, ...compileCache(), ...environment },
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
  // If the message cannot be sent, the process is about to end.
  child.send(message, () => undefined);
  try {
    return await answer;
  } finally {
    answered.abort();
  }
}

// Only Linux reports it; elsewhere it is unknown.
function readPeak(pid: number | undefined): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
