import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { LocalFailure } from './failure.ts';
import { projectRoot } from './root.ts';

/** Runs a command of the service's command line tool to its end. Returns its standard output. */
export async function runCommand(command: string[], environment: NodeJS.ProcessEnv): Promise<string> {
  const program = join(projectRoot, 'dist/programs/cli/main.js');
  try {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--enable-source-maps', program, ...command, '--json'],
      {
        cwd: projectRoot,
        env: environment,
        timeout: 300_000,
      },
    );
    return stdout;
  } catch (error) {
    const output = ['stderr', 'stdout'].map((stream) => readOutput(error, stream).trim()).filter(Boolean);
    throw new LocalFailure(`\`${command.join(' ')}\` failed:\n${output.join('\n') || String(error)}`);
  }
}

/** The first root token, if `bootstrap` has just made it; undefined if it existed before. */
export function readToken(output: string): string | undefined {
  for (const line of output.split('\n')) {
    try {
      const answer: unknown = JSON.parse(line);
      if (typeof answer === 'object' && answer !== null && 'token' in answer) return String(answer.token);
    } catch {
      continue;
    }
  }
  return undefined;
}

function readOutput(error: unknown, stream: string): string {
  if (typeof error !== 'object' || error === null) return '';
  const output: unknown = Object.entries(error).find(([name]) => name === stream)?.[1];
  return typeof output === 'string' ? output : '';
}
