import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres, stopPostgres } from '../../deploy/local/postgres.ts';
import { findRunning } from '../../deploy/local/processes.ts';
import { startRabbitmq, stopRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { localDirectory } from '../../deploy/local/root.ts';
import { ensureBinaries } from '../../deploy/local/install.ts';
import { discardServers } from '../../deploy/local/servers.ts';

/** A private database and broker that may be ended in any way. Data survive a kill: nothing is traded for speed. */
export type Servers = {
  directory: string;
  databaseUrl: string;
  amqpUrl: string;
  restartPostgres: (how: 'stop' | 'kill') => Promise<void>;
  restartRabbitmq: (how: 'stop' | 'kill') => Promise<void>;
  discard: () => Promise<void>;
};

/** Starts both in a folder of their own, which is removed even where this process is killed. */
export async function startFaultServers(): Promise<Servers> {
  ensureBinaries({ postgres: true, rabbitmq: true });
  const directory = join(localDirectory, 'faults', `run-${process.pid}-${Date.now().toString(36)}`);
  mkdirSync(directory, { recursive: true });
  guard(directory);
  const postgres = join(directory, 'postgres');
  const rabbitmq = join(directory, 'rabbitmq');
  const [database, broker] = await Promise.all([
    startPostgres({ directory: postgres }),
    startRabbitmq({ directory: rabbitmq }),
  ]);
  // A quorum queue that is declared within a second of a kill can come back broken.
  return {
    directory,
    databaseUrl: database.url,
    amqpUrl: broker.url,
    restartPostgres: async (how) => {
      if (how === 'kill') killGroup(postgres, 'postgres');
      else await stopPostgres(postgres);
      await sleep(300);
      await startPostgres({ directory: postgres });
    },
    restartRabbitmq: async (how) => {
      if (how === 'kill') killGroup(rabbitmq, 'rabbitmq-vm');
      else await stopRabbitmq(rabbitmq);
      await sleep(300);
      await startRabbitmq({ directory: rabbitmq });
    },
    discard: () => discardServers(directory),
  };
}

// The children of a server first learn of its death when they look; a crash takes them all at once.
function killGroup(directory: string, name: string): void {
  const record = findRunning({ directory, name });
  if (!record) throw new Error(`${name} does not run`);
  for (const pid of [record.pid, ...childrenOf(record.pid)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended with its parent.
    }
  }
}

function childrenOf(pid: number): number[] {
  const table = execFileSync('ps', ['-o', 'pid=,ppid=', '-A'], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    return parent === pid && child ? [child] : [];
  });
}

function guard(directory: string): void {
  const program = fileURLToPath(new URL('../support/guard.js', import.meta.url));
  const child = spawn(process.execPath, [program, directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  child.unref();
  const input = child.stdin;
  if (input && 'unref' in input && typeof input.unref === 'function') input.unref();
}
