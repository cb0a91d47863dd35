import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The compiled command. */
export const program = fileURLToPath(new URL('../../services/cli/main.js', import.meta.url));

export type Ended = { stdout: string; stderr: string; code: number };

/** Starts the command with the given environment only. */
export function startCommand(words: string[], environment: Record<string, string>): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  return spawn(process.execPath, [program, ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Runs the command to its end; `input` is its standard input. */
export async function runCommand(
  words: string[],
  environment: Record<string, string>,
  input = '',
): Promise<Ended> {
  const child = startCommand(words, environment);
  const kill = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const chunks = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => (chunks.stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (chunks.stderr += chunk.toString()));
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(kill);
  return { ...chunks, code: code ?? -1 };
}

/** Runs the command while nobody reads its standard output, as after `| head` has ended. */
export async function runWithoutReader(
  words: string[],
  environment: Record<string, string>,
): Promise<Omit<Ended, 'stdout'>> {
  const child = startCommand(words, environment);
  const kill = setTimeout(() => child.kill('SIGKILL'), 30_000);
  child.stdout?.destroy();
  child.stdin?.end();
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(kill);
  return { stderr, code: code ?? -1 };
}
