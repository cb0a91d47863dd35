import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { identifyProcess } from '../../deploy/local/process-identity.ts';
import { localDirectory } from '../../deploy/local/root.ts';
import { eventually } from './eventually.ts';

/** Throws if a private server outlives the process that started it by more than 20 s, the time its guard has to end it. */
export async function failOnStrays(): Promise<void> {
  await eventually(
    async () => {
      const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,command='], {
        maxBuffer: 64 * 1024 * 1024,
      });
      const strays = findStrays(stdout.split('\n'));
      if (strays.length === 0) return true;
      throw new Error(`a test left servers running:\n${strays.join('\n')}`);
    },
    { everyMs: 500 },
  );
}

/** The lines of `ps` whose command names the private folder of a process that has ended. Guards clean up and end. */
export function findStrays(lines: string[]): string[] {
  return lines.filter((line) => {
    if (!line.includes(localDirectory) || line.includes('/test/support/guard.js ')) return false;
    const owner = /\/run-(\d+)-[0-9a-z]+/.exec(line)?.[1];
    return owner !== undefined && identifyProcess(Number(owner)) === undefined;
  });
}
