import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readEnvironmentFile } from '../../deploy/local/environment-file.ts';
import { findRunning, recordProcess } from '../../deploy/local/processes.ts';
import { localDirectory } from '../../deploy/local/root.ts';
import { discardServers, startServers, type ServerUrls } from '../../deploy/local/servers.ts';
import { guard } from './private-folder.ts';

/** The servers of a test run: a broker, and a database whose super user may create further databases. */
export interface Servers extends ServerUrls {
  /** Part of all names that the run creates on the servers. */
  readonly run: string;
}

export interface Infrastructure extends Servers {
  stop(): Promise<void>;
}

const runs = join(localDirectory, 'test');
// An environment variable, which the processes that run the test files inherit.
const SERVERS = 'TEST_SERVERS';

/** The servers of this run. Throws if the global set-up has not started them. */
export function infrastructure(): Servers {
  const servers = process.env[SERVERS];
  if (!servers) throw new Error('run mocha with --require test/support/hooks: the servers are not started');
  return JSON.parse(servers) as Servers;
}

/**
 * Starts the servers for the tests, or takes them from TEST_DATABASE_URL and TEST_AMQP_URL, or DATABASE_URL and AMQP_URL.
 * Our own servers start empty. They are stopped and removed with the run, even if the run is killed.
 */
export async function startInfrastructure(): Promise<Infrastructure> {
  const given = {
    databaseUrl: process.env['TEST_DATABASE_URL'] ?? readForeign('DATABASE_URL'),
    amqpUrl: process.env['TEST_AMQP_URL'] ?? readForeign('AMQP_URL'),
  };
  await removeDeadRuns();
  const directory = join(runs, `run-${process.pid}-${Date.now().toString(36)}`);
  // The folder is renamed into place with its owner's record inside. Otherwise a run that starts now would take it for the
  // folder of a dead run.
  const draft = join(localDirectory, 'test-draft', basename(directory));
  recordProcess({ directory: draft, name: 'owner', pid: process.pid });
  mkdirSync(runs, { recursive: true });
  renameSync(draft, directory);
  guard(directory);
  try {
    const urls = await startServers({ directory, given, throwAway: true });
    const servers: Servers = { ...urls, run: randomBytes(4).toString('hex') };
    process.env[SERVERS] = JSON.stringify(servers);
    return { ...servers, stop: () => discardServers(directory) };
  } catch (error) {
    await discardServers(directory);
    throw error;
  }
}

/** Ignores the servers of `make up`, which a shell with `.local/env` names: their workers would take the tests' messages. */
function readForeign(name: string): string | undefined {
  const value = process.env[name] || undefined;
  return value === readEnvironmentFile()[name] ? undefined : value;
}

async function removeDeadRuns(): Promise<void> {
  if (!existsSync(runs)) return;
  for (const run of readdirSync(runs)) {
    const directory = join(runs, run);
    if (!findRunning({ directory, name: 'owner' })) await discardServers(directory);
  }
}
