import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findRunning, recordProcess } from '../../deploy/local/processes.ts';

/**
 * Sends a signal to a server below a directory and to its children at once, as if its machine failed or stood still.
 * Without this, a child notices its parent's death only later. Throws if the server does not run.
 */
export async function signalServer(
  { directory, name }: { directory: string; name: string },
  signal: NodeJS.Signals,
): Promise<void> {
  const record = findRunning({ directory, name });
  if (!record) throw new Error(`${name} does not run`);
  const children = await childrenOf(record.pid);
  // A suspended child does not notice its parent's death, so it is recorded: discarding the folder ends it too.
  if (signal === 'SIGSTOP')
    for (const pid of children) recordProcess({ directory, name: `${name}-child-${pid}`, pid });
  for (const pid of [record.pid, ...children]) {
    try {
      process.kill(pid, signal);
    } catch {
      // It ended with its parent.
    }
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'pid=,ppid=', '-A']);
  return stdout.split('\n').flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return parent === pid && child ? [child] : [];
  });
}
