import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Version } from './versions.ts';

const execute = promisify(execFile);
const LIMIT_MS = 300_000;

/** Runs a command of the command line tool of a given version. Returns the JSON that it prints. */
export async function runCommand<Shown>(
  version: Version,
  words: string[],
  environment: Record<string, string>,
): Promise<Shown> {
  const program = join(version.root, 'services/cli/main.js');
  const { stdout } = await execute(process.execPath, [program, ...words, '--json'], {
    env: { PATH: process.env['PATH'], ...environment },
    timeout: LIMIT_MS,
  });
  return JSON.parse(stdout) as Shown;
}
