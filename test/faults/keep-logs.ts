import { cp, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { localDirectory } from '../../deploy/local/root.ts';
import type { Servers } from './servers.ts';

/** Copies the logs of processes and servers to a folder that is not removed. Returns its path. */
export async function keepLogs({ directory }: Pick<Servers, 'directory'>, name: string): Promise<string> {
  const target = join(localDirectory, 'faults', name);
  await mkdir(target, { recursive: true });
  for (const file of await readdir(directory))
    if (file.endsWith('.log')) await cp(join(directory, file), join(target, file));
  return target;
}
