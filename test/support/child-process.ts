import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { choosePort } from '../../deploy/local/ports.ts';
import { eventually } from './eventually.ts';

const compiled = fileURLToPath(new URL('../..', import.meta.url));

/** A process of its own, as in production: it can be killed without warning. */
export type ServiceProcess = {
  healthUrl: string;
  /** Everything it wrote so far. */
  output: () => string;
  /** Resolves when the process has ended; idempotent. */
  kill: (signal?: NodeJS.Signals) => Promise<void>;
  running: () => boolean;
};

/** Starts a compiled program (relative to the build's root) and waits until it says it is ready. */
export async function startProcess(
  program: string,
  environment: Record<string, string>,
): Promise<ServiceProcess> {
  const port = await choosePort(undefined);
  const child = spawn(process.execPath, [join(compiled, program)], {
    env: { ...process.env, ...environment, HEALTH_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk.toString()));
  const ended = once(child, 'exit');
  const running = (): boolean => child.exitCode === null && child.signalCode === null;
  const healthUrl = `http://127.0.0.1:${port}`;
  try {
    await eventually(
      async () => {
        if (!running()) throw new Error(`${program} ended: ${chunks.join('').slice(-2000)}`);
        return (await fetch(`${healthUrl}/health/ready`)).ok;
      },
      { limitMs: 20_000, everyMs: 30 },
    );
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    healthUrl,
    output: () => chunks.join(''),
    running,
    kill: async (signal = 'SIGKILL') => {
      if (!running()) return;
      child.kill(signal);
      await ended;
    },
  };
}
