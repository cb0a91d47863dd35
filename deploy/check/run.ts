import { execFile } from 'node:child_process';

/** How a program ended; `output` is everything that it wrote. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly output: string;
}

/** Runs a program to its end, at most two minutes. Never throws because of an exit code. */
export function run(
  program: string,
  words: readonly string[],
  options: { directory?: string } = {},
): Promise<Outcome> {
  return new Promise((resolve) => {
    const limits = { cwd: options.directory, timeout: 120_000, maxBuffer: 64 * 1024 * 1024 };
    execFile(program, words, limits, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      const reason = error && stdout + stderr === '' ? error.message : '';
      resolve({ code, stdout, output: `${stdout}${stderr}${reason}` });
    });
  });
}
