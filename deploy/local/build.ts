import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { projectRoot } from './root.ts';

/** The compiler writes its files to the end when it is asked to stop; after this it is ended by force. */
const END_LIMIT_MS = 10_000;

/** Runs `make build` and shows its output; false where it failed or the signal ended it. Leaves no compiler running. */
export async function build(signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const child = spawn('make', ['--no-print-directory', '--silent', 'build'], {
    cwd: projectRoot,
    // The flags of the `make` that started us name pipes that are closed here.
    env: { ...process.env, MAKEFLAGS: '' },
    // A group of its own: the compiler is a grandchild, and has to end with it.
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
    // Not "exit": the pipes close only when the compiler, too, has ended.
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
    // All of it has ended in the meantime.
  }
}
