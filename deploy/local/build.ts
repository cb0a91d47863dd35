import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectRoot } from './root.ts';

/** On a stop request the compiler first finishes writing its files. After this time it is killed. */
const END_LIMIT_MS = 10_000;

/** Runs `make build` and shows its output. Returns false if it failed or was aborted. No compiler keeps running. */
export async function build(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const child = spawn('make', ['--no-print-directory', '--silent', 'build'], {
    cwd: projectRoot,
    // MAKEFLAGS of the `make` that started us names pipes that are closed in this child.
    env: { ...process.env, MAKEFLAGS: '' },
    // A process group of its own: the compiler is a grandchild and must end with it.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.pipe(process.stdout, { end: false });
  child.stderr.pipe(process.stderr, { end: false });
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    signalGroup(child.pid, 'SIGTERM');
    timer = setTimeout(() => signalGroup(child.pid, 'SIGKILL'), END_LIMIT_MS);
  };
  signal.addEventListener('abort', end);
  try {
    // "close" and not "exit": the pipes close only when the compiler has ended too.
    const [code] = await once(child, 'close');
    return code === 0;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

function signalGroup(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // The whole group has already ended.
  }
}
