import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chownSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPostgres } from './binaries.ts';
import { LocalFailure } from './failure.ts';
import { choosePort } from './ports.ts';
import { commandLineOf } from './process-identity.ts';
import { findRunning, startProcess, stopProcess, tailLog } from './processes.ts';
import { readState, writeState } from './state.ts';
import { findUnprivilegedUser, makeFolderOf, removeFolderOf } from './unprivileged.ts';
import { waitFor } from './wait.ts';

/** A private server: `url` reaches it over the loopback address, `stop` ends it and keeps its data. */
export interface LocalServer {
  readonly url: string;
  stop(): Promise<void>;
}

const name = 'postgres';

// wal_init_zero: a new server fills each log file with zeros first, 16 MB at once, while an older server reuses its old
// files. max_wal_size: the log may be in memory. dynamic_shared_memory_type: shared memory of a killed server is removed
// with its data. max_connections: many installations use the server at once.
const THROW_AWAY = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_init_zero: 'off',
  max_wal_size: '256MB',
  dynamic_shared_memory_type: 'mmap',
  max_connections: '600',
};

// For one small installation. By default, buffers and tables of locks for 300 connections take 10 MiB more at rest.
const SMALL = {
  max_connections: '200',
  max_pred_locks_per_transaction: '16',
  shared_buffers: '32MB',
};

/**
 * Starts a private Postgres with its data below `directory`, or finds the one that already runs there. `throwAway`
 * trades the safety of the data for speed. Throws a `LocalFailure` that shows the end of the log.
 */
export async function startPostgres(options: {
  directory: string;
  throwAway?: boolean;
}): Promise<LocalServer> {
  const { directory } = options;
  const stop = async (): Promise<void> => void (await stopPostgres(directory));
  const running = readState(stateFile(directory));
  if (findRunning({ directory, name }) && typeof running['port'] === 'number') {
    const url = urlOf(running);
    if (await becomesReady({ directory, url, limitMs: 5000 })) return { url, stop };
    await stop();
  }
  const binaries = findPostgres();
  if (!binaries) throw new LocalFailure('Postgres is not installed: no initdb and postgres were found.');
  const state = await prepareData({ ...options, binaries });
  for (let attempt = 1; ; attempt += 1) {
    // The workers of a killed server hold its shared memory a moment longer, so it tries again after one failure.
    if (await launch({ ...options, binaries, state })) return { url: urlOf(state), stop };
    await stop();
    if (attempt === 3)
      throw new LocalFailure(`Postgres did not become ready.\n${tailLog({ directory, name })}`);
  }
}

/** Stops the Postgres of a directory, whoever started it. Cuts open connections, keeps commits. True if it ran. */
export async function stopPostgres(directory: string): Promise<boolean> {
  return stopProcess({ directory, name, limitMs: 20_000 });
}

async function launch(options: {
  directory: string;
  throwAway?: boolean;
  binaries: string;
  state: Record<string, unknown>;
}): Promise<boolean> {
  const { directory, state } = options;
  const data = realpathSync(join(directory, 'data'));
  await endLeftOver(data);
  const port = await choosePort(state['port']);
  state['port'] = port;
  writeState(stateFile(directory), state);
  const settings: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    ...(options.throwAway ? THROW_AWAY : SMALL),
  };
  await startProcess({
    directory,
    name,
    command: join(options.binaries, 'postgres'),
    arguments: ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    environment: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    workingDirectory: data,
    user: findUnprivilegedUser(),
    // Fast shutdown: with SIGTERM the server would wait for all clients to leave.
    stopSignal: 'SIGINT',
  });
  return becomesReady({ directory, url: urlOf(state), limitMs: 60_000 });
}

/** False if the time limit has passed or the process has ended. */
async function becomesReady(options: { directory: string; url: string; limitMs: number }): Promise<boolean> {
  let isReady = false;
  await waitFor({
    limitMs: options.limitMs,
    check: async () => {
      isReady = await answers(options.url);
      return isReady || !findRunning({ directory: options.directory, name });
    },
  });
  return isReady;
}

async function prepareData(options: {
  directory: string;
  throwAway?: boolean;
  binaries: string;
}): Promise<Record<string, unknown>> {
  const data = join(options.directory, 'data');
  const state = readState(stateFile(options.directory));
  if (existsSync(join(data, 'PG_VERSION')) && typeof state['password'] === 'string') return state;

  const user = findUnprivilegedUser();
  const draft = join(options.directory, 'data.new');
  const password = randomBytes(24).toString('hex');
  removeFolderOf(data);
  removeFolderOf(draft);
  // Ext4 takes long to make the hundreds of files of each new database where many were removed a moment ago.
  makeFolderOf(user, draft, options);
  const place = realpathSync(draft);
  const passwordFile = join(place, '..', `sealift-password-${process.pid}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (user) chownSync(passwordFile, user.uid, user.gid);
  try {
    const settings = [
      '--username=sealift',
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ];
    await promisify(execFile)(
      join(options.binaries, 'initdb'),
      ['-D', place, `--pwfile=${passwordFile}`, ...settings],
      { ...user, cwd: place, timeout: 60_000, env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' } },
    );
  } catch (error) {
    throw new LocalFailure(`initdb failed: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
  // Only complete data gets the final name, so an aborted start begins again from nothing.
  renameSync(draft, data);
  const fresh = { password };
  writeState(stateFile(options.directory), fresh);
  return fresh;
}

async function endLeftOver(data: string): Promise<void> {
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  const isOurs = (): boolean => commandLineOf(pid).includes(data);
  if (isOurs()) {
    process.kill(pid, 'SIGINT');
    await waitFor({ limitMs: 20_000, check: () => !isOurs() });
  }
  // After a reboot the pid may belong to any process, and Postgres would take that one for another server.
  if (!isOurs()) rmSync(file, { force: true });
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

function urlOf(state: Record<string, unknown>): string {
  return `postgres://sealift:${String(state['password'])}@127.0.0.1:${String(state['port'])}/postgres`;
}

function stateFile(directory: string): string {
  return join(directory, 'postgres.json');
}
