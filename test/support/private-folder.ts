import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localDirectory } from '../../deploy/local/root.ts';
import { discardServers } from '../../deploy/local/servers.ts';

let count = 0;

/** A folder for private servers. `discard`, or the end of this process, kills them and removes the folder. */
export type PrivateFolder = { directory: string; discard: () => Promise<void> };

/** Makes one below `.local/`. `kind` is part of its path. */
export function makePrivateFolder(kind: string): PrivateFolder {
  count += 1;
  const directory = join(localDirectory, kind, `run-${process.pid}-${Date.now().toString(36)}-${count}`);
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o755);
  guard(directory);
  return { directory, discard: () => discardServers(directory) };
}

/** Starts a process that outlives this one and cleans up after it. The end of its input tells it that this one ended. */
export function guard(directory: string): void {
  const program = fileURLToPath(new URL('./guard.js', import.meta.url));
  const child = spawn(process.execPath, [program, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const input = child.stdin;
  if (input && 'unref' in input && typeof input.unref === 'function') input.unref();
}
