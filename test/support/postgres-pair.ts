import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPostgres } from '../../deploy/local/binaries.ts';
import { startPostgres, stopPostgres } from '../../deploy/local/postgres.ts';
import { readState, writeState } from '../../deploy/local/state.ts';
import { findUnprivilegedUser, makeFolderOf, removeFolderOf } from '../../deploy/local/unprivileged.ts';
import { waitFor } from '../../deploy/local/wait.ts';
import { eventually } from './eventually.ts';
import { makePrivateFolder } from './private-folder.ts';
import { signalServer } from './process-group.ts';

/** One of two servers, at a fixed address. */
export type PostgresNode = {
  url: string;
  port: number;
  query: <Row extends object>(statement: string) => Promise<Row[]>;
  /** Kills it like a failure of its machine. */
  kill: () => Promise<void>;
  stop: () => Promise<void>;
  start: () => Promise<void>;
  /** Suspends it, with its connections open, until `thaw`. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
  /** Promotes the standby to a primary. */
  promote: () => Promise<void>;
  /** Starts again as a standby of the given primary, with a fresh copy of its data. */
  follow: (primary: PostgresNode) => Promise<void>;
};

/** A primary with a hot standby. Replication is asynchronous until `setSynchronous`. Undo: `discard`. */
export type PostgresPair = { primary: PostgresNode; standby: PostgresNode; discard: () => Promise<void> };

const name = 'postgres';

/** Starts both on this machine, in a folder of their own. */
export async function startPostgresPair(): Promise<PostgresPair> {
  const folder = makePrivateFolder('pairs');
  try {
    return { ...(await startPairIn(folder.directory)), discard: folder.discard };
  } catch (error) {
    await folder.discard();
    throw error;
  }
}

/** The same, in a folder that the caller removes. */
export async function startPairIn(directory: string): Promise<Omit<PostgresPair, 'discard'>> {
  const first = join(directory, 'postgres-a');
  const { url } = await startPostgres({ directory: first });
  const primary = createNode(first, url);
  const second = join(directory, 'postgres-b');
  const { password } = readState(join(first, 'postgres.json'));
  writeState(join(second, 'postgres.json'), { password });
  await copy(primary, second);
  const standby = createNode(second, (await startPostgres({ directory: second })).url);
  return { primary, standby };
}

/** One URL with several servers. */
export function hostsOf(...nodes: Pick<PostgresNode, 'url' | 'port'>[]): string {
  const [first] = nodes;
  return (first?.url ?? '').replace(/@[^/]*/, `@${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`);
}

/** Waits until a standby follows the primary. */
export async function waitForStandby({ query }: PostgresNode): Promise<void> {
  const follows = async (): Promise<boolean> =>
    (await query("SELECT FROM pg_stat_replication WHERE state = 'streaming'")).length > 0;
  await eventually(follows, { everyMs: 50 });
}

/** Makes every commit on a primary wait for any standby, as an operator would; with false, commits wait for none. */
export async function setSynchronous(primary: PostgresNode, isOn: boolean): Promise<void> {
  await primary.query(`ALTER SYSTEM SET synchronous_standby_names = '${isOn ? 'ANY 1 (*)' : ''}'`);
  await primary.query('SELECT pg_reload_conf()');
}

function createNode(directory: string, url: string): PostgresNode {
  const signal = (one: NodeJS.Signals) => signalServer({ directory, name }, one);
  const query = <Row extends object>(statement: string) => ask<Row>(url, statement);
  const start = async (): Promise<void> => void (await startPostgres({ directory }));
  return {
    url,
    port: Number(new URL(url).port),
    query,
    kill: () => signal('SIGKILL'),
    stop: async () => void (await stopPostgres(directory)),
    start,
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    promote: async () => {
      await query('SELECT pg_promote(true, 30)');
    },
    follow: async (primary) => {
      await stopPostgres(directory);
      await copy(primary, directory);
      await start();
    },
  };
}

async function copy(primary: PostgresNode, directory: string): Promise<void> {
  const user = findUnprivilegedUser();
  const data = join(directory, 'data');
  // The workers of a killed server may keep its files open a moment longer.
  await waitFor({ limitMs: 5000, check: () => !isServed(data) });
  removeFolderOf(data);
  makeFolderOf(user, data);
  const from = new URL(primary.url);
  const connection = `host=127.0.0.1 port=${from.port} user=${from.username} password=${from.password}`;
  const options = ['-D', data, '-R', '-X', 'stream', '--checkpoint=fast', '--no-sync', '-d', connection];
  const tool = join(findPostgres() ?? '', 'pg_basebackup');
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  await promisify(execFile)(tool, options, { ...user, cwd: data, env, timeout: 60_000 });
}

function isServed(data: string): boolean {
  try {
    process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0]), 0);
    return true;
  } catch {
    return false;
  }
}

async function ask<Row extends object>(url: string, statement: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
