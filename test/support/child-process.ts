import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { choosePort } from '../../deploy/local/ports.ts';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../libs/service/runtime.ts';
import { eventually } from './eventually.ts';

const compiled = fileURLToPath(new URL('../..', import.meta.url));

/** A separate process, as in production: a test can kill it without warning. */
export type ServiceProcess = {
  pid: number;
  healthUrl: string;
  /** Everything that it has written so far. */
  output: () => string;
  /** Resolves when the process has ended. Idempotent. */
  kill: (signal?: NodeJS.Signals) => Promise<void>;
  /** Suspends it at once, until `resume`. Its connections stay open. */
  pause: () => void;
  resume: () => void;
  running: () => boolean;
};

/** Starts a compiled program (path relative to the build's root, arguments after spaces) and waits until it is ready. */
export async function startProcess(
  program: string,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const started = await spawnProcess(program, environment);
  try {
    await started.ready();
  } catch (error) {
    await started.kill();
    throw error;
  }
  return started;
}

/** A process that may not become ready: it waits for its servers, or refuses to start. */
export type SpawnedProcess = ServiceProcess & {
  /** Its exit code; null if a signal ended it. */
  ended: Promise<number | null>;
  /** Waits until it reports that it is ready. Throws its output if it ends first or the limit passes. */
  ready: (limitMs?: number) => Promise<void>;
};

/** Starts a compiled program (path relative to the build's root, arguments after spaces) and returns at once. */
export async function spawnProcess(
  program: string,
  environment: Record<string, string>,
): Promise<SpawnedProcess> {
  const port = await choosePort(undefined);
  const [path = '', ...words] = program.split(' ');
  const child = spawn(process.execPath, [...NODE_FLAGS, join(compiled, path), ...words], {
    env: { ...process.env, ...NODE_ENVIRONMENT, ...environment, HEALTH_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  // "close" and not "exit": all its output must have arrived.
  const ended = once(child, 'close').then(([code]) => code as number | null);
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  const healthUrl = `http://127.0.0.1:${port}`;
  return {
    pid: child.pid ?? 0,
    healthUrl,
    output: () => chunks.join(''),
    running,
    ended,
    ready: async (limitMs) => {
      await eventually(
        async () => {
          // It has ended, so waiting is over. The throw below names the reason.
          if (!running()) return true;
          return (await fetch(`${healthUrl}/health/ready`)).ok;
        },
        { everyMs: 30, ...(limitMs === undefined ? {} : { limitMs }) },
      );
      if (!running()) throw new Error(`${program} ended: ${chunks.join('').slice(-2000)}`);
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: async (signal = 'SIGKILL') => {
      if (!running()) return;
      child.kill(signal);
      await ended;
    },
  };
}
