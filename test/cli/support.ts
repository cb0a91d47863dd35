import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { compileCache } from '../support/compile-cache.ts';

/** The compiled command. */
export const program = fileURLToPath(new URL('../../programs/cli/main.js', import.meta.url));

export type Ended = { stdout: string; stderr: string; code: number };

/** Starts the command with the given environment only, and what makes programs start faster. */
export function startCommand(words: string[], environment: Record<string, string>): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '', ...compileCache(), ...environment };
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

type RunOptions = { input?: string; environment?: Record<string, string> };

/** Commands with the root token: `run` splits its words at blanks, `json` returns what the command answers. */
export function commandsOf(sealift: () => { url: string; token: string }) {
  const run = (words: string, { input, environment }: RunOptions = {}): Promise<Ended> => {
    const { url, token } = sealift();
    return runCommand(words.split(' '), { SEALIFT_URL: url, SEALIFT_TOKEN: token, ...environment }, input);
  };
  const json = async (words: string, input?: string) => {
    const ended = await run(`${words} --json`, input === undefined ? {} : { input });
    expect(ended.code, ended.stderr).to.equal(0);
    return JSON.parse(ended.stdout);
  };
  return { run, json };
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

/**
 * Runs the command on a terminal of its own. Each answer is typed when its question has appeared; the questions come in
 * this order.
 */
export async function runOnTerminal(
  words: string[],
  environment: Record<string, string>,
  answers: Record<string, string>,
): Promise<{ shown: string; code: number }> {
  const line = [process.execPath, program, ...words].map((word) => `'${word}'`).join(' ');
  const env = { PATH: process.env['PATH'] ?? '', SHELL: '/bin/sh', ...environment };
  const child = spawn('script', ['--quiet', '--return', '--command', `exec ${line}`, '/dev/null'], { env });
  const kill = setTimeout(() => child.kill('SIGKILL'), 30_000);
  const left = Object.entries(answers);
  let shown = '';
  let seen = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    shown += chunk.toString();
    const [question = '', answer = ''] = left[0] ?? [];
    const found = left.length === 0 ? -1 : shown.indexOf(question, seen);
    if (found === -1) return;
    seen = found + question.length;
    left.shift();
    child.stdin.write(answer);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(kill);
  return { shown, code: code ?? -1 };
}
