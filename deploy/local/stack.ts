import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { readToken, runCommand } from './command-line.ts';
import { findConnectorFiles } from './connector-files.ts';
import { readEnvironmentFile, writeEnvironmentFile } from './environment-file.ts';
import { LocalFailure } from './failure.ts';
import { refuseFormerDatabase } from './former-database.ts';
import { readLoadedFiles, type LoadedFiles } from './loaded-files.ts';
import { stopOutdated } from './outdated.ts';
import { localDirectory } from './root.ts';
import {
  findSandbox,
  sandbox as sandboxProcess,
  sandboxSettings,
  startSandbox,
  stopSandbox,
} from './sandbox.ts';
import { startServers, stopServers } from './servers.ts';
import { findServices, programOf, startServices, stopService, stopServices } from './services.ts';
import { readState, writeState } from './state.ts';

/** A running installation, as `.local/env` describes it to other programs. */
export interface Stack {
  readonly url: string;
  readonly token: string;
  readonly sandbox: Record<string, string>;
  /** Names of the processes that this call has started, without database and broker; empty if everything ran already. */
  readonly started: readonly string[];
}

const stateFile = join(localDirectory, 'stack.json');

/**
 * Starts everything and waits until it is ready. With `sandbox`, the services use stand-ins for the stores, and from then
 * on they always do with this database: what a demo has linked must never go to the real stores. `oneProcess`: all
 * services in one, by default as the environment's `ONE` says.
 */
export async function startStack(options: {
  sandbox: boolean;
  oneProcess?: boolean;
  report: (line: string) => void;
}): Promise<Stack> {
  const { report, oneProcess = process.env['ONE'] === '1' } = options;
  mkdirSync(localDirectory, { recursive: true });
  const given = readGivenServers();
  report(describeServers(given));
  const servers = await startServers({ directory: localDirectory, given });
  const own = { databaseUrl: !given.databaseUrl, amqpUrl: !given.amqpUrl };
  const databaseUrl = own.databaseUrl ? await createOwnDatabase(servers.databaseUrl) : servers.databaseUrl;
  await refuseFormerDatabase(databaseUrl, { isOwn: own.databaseUrl });
  const files = readLoadedFiles();
  const key = own.databaseUrl ? 'own' : digest(databaseUrl);
  const demos = listOf(readState(stateFile)['demos']);
  const wasDemo = demos.includes(key);
  const needsSandbox = options.sandbox || wasDemo;
  if (needsSandbox) await stopOutdated({ ...sandboxProcess, wiring: {}, stop: stopSandbox }, files);
  const hadSandbox = findSandbox() !== undefined;
  const sandbox = needsSandbox ? await startSandbox() : (findSandbox() ?? {});
  const environment: NodeJS.ProcessEnv = {
    // Off the cloud, the SDK's search for the machine's own credentials only costs time. A caller's setting wins.
    AWS_EC2_METADATA_DISABLED: 'true',
    ...process.env,
    ...masterKeySettings(),
    ...(Object.keys(sandbox).length > 0 && sandboxSettings(sandbox)),
    DATABASE_URL: databaseUrl,
    AMQP_URL: servers.amqpUrl,
  };
  const wiring = { sandbox, databaseUrl, amqpUrl: servers.amqpUrl };
  await stopOutdatedServices({ wiring, files, oneProcess });
  report('Bringing the schema up to date …');
  await runCommand(['migrate'], environment);
  const token = await obtainToken({ environment, key });
  const isNewSandbox = needsSandbox && !hadSandbox;
  if (!wasDemo && needsSandbox) remember({ demos: [...demos, key] });
  // New stand-ins are empty: what the ledger says of them is no longer true.
  if (wasDemo && isNewSandbox) await runCommand(['job', 'invalidate-ledger'], environment);
  report('Starting the services …');
  const { started, apiUrl } = await startServices(environment, { oneProcess });
  writeEnvironmentFile({
    SEALIFT_URL: apiUrl,
    SEALIFT_TOKEN: token,
    DATABASE_URL: databaseUrl,
    AMQP_URL: servers.amqpUrl,
    // The operator's commands need the key as well. A key that the caller gave as text is not written to a file.
    ...(!environment['SEALIFT_MASTER_KEY'] && {
      SEALIFT_MASTER_KEY_FILE: resolve(environment['SEALIFT_MASTER_KEY_FILE'] ?? ''),
    }),
    // `sealift doctor` asks the stores that the workers ask.
    ...(Object.keys(sandbox).length > 0 && sandboxSettings(sandbox)),
    ...Object.fromEntries(
      Object.entries(sandbox).map(([name, value]) => [
        `SANDBOX_${name.replaceAll('-', '_').toUpperCase()}${URL.canParse(value) ? '_URL' : ''}`,
        value,
      ]),
    ),
  });
  return { url: apiUrl, token, sandbox, started: isNewSandbox ? [sandboxProcess.name, ...started] : started };
}

/** Stops everything that this project started and keeps the data. Returns the names of what ran. */
export async function stopStack(): Promise<string[]> {
  const stopped = await stopServices();
  if (await stopSandbox()) stopped.push('sandbox');
  return [...stopped, ...(await stopServers(localDirectory))];
}

/** The caller's servers. A URL that a shell has sourced from our own `.local/env` counts as our own server. */
function readGivenServers(): { databaseUrl: string | undefined; amqpUrl: string | undefined } {
  const written = readEnvironmentFile();
  const { ownDatabase, ownBroker } = readState(stateFile);
  const read = (name: string, isOwn: unknown): string | undefined => {
    const value = process.env[name] || undefined;
    return isOwn === true && value === written[name] ? undefined : value;
  };
  const given = { databaseUrl: read('DATABASE_URL', ownDatabase), amqpUrl: read('AMQP_URL', ownBroker) };
  remember({ ownDatabase: !given.databaseUrl, ownBroker: !given.amqpUrl });
  return given;
}

function describeServers(given: { databaseUrl: string | undefined; amqpUrl: string | undefined }): string {
  const database = given.databaseUrl ? 'Postgres from DATABASE_URL' : 'a private Postgres';
  const broker = given.amqpUrl ? 'RabbitMQ from AMQP_URL' : 'a private RabbitMQ';
  return `Using ${database} and ${broker} …`;
}

async function createOwnDatabase(adminUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 10_000 });
  await client.connect();
  try {
    const { rowCount } = await client.query(`select 1 from pg_database where datname = 'sealift'`);
    if (rowCount === 0) await client.query('create database sealift');
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.pathname = '/sealift';
  return url.href;
}

/** The caller's master key, otherwise our own in `.local/master.key`, which is created once and never overwritten. */
function masterKeySettings(): Record<string, string> {
  const file = join(localDirectory, 'master.key');
  const given = process.env['SEALIFT_MASTER_KEY'] || process.env['SEALIFT_MASTER_KEY_FILE'];
  // A shell that has sourced our `.local/env` names our own file, which may be gone.
  if (given && given !== file) return {};
  if (!existsSync(file)) {
    writeFileSync(file, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' });
  }
  return { SEALIFT_MASTER_KEY_FILE: file };
}

async function stopOutdatedServices(options: {
  wiring: object;
  files: LoadedFiles;
  oneProcess: boolean;
}): Promise<void> {
  const { wiring, files, oneProcess } = options;
  const connectors = [...(await findConnectorFiles())];
  const services = findServices({ oneProcess });
  for (const { name } of findServices()) {
    if (!services.some((service) => service.name === name)) await stopService(name);
  }
  for (const service of services.reverse()) {
    const { name } = service;
    // The catalog names all connectors. A worker loads only its own, and every other service loads none.
    const never = oneProcess ? [] : connectors.filter(([type]) => type !== name).map(([, file]) => file);
    const stop = (): Promise<boolean> => stopService(name);
    await stopOutdated({ name, program: programOf(service), never, wiring, stop }, files);
  }
}

async function obtainToken(options: { environment: NodeJS.ProcessEnv; key: string }): Promise<string> {
  const kept = readState(stateFile)['tokens'];
  const tokens: Record<string, unknown> = typeof kept === 'object' && kept !== null ? { ...kept } : {};
  const token = readToken(await runCommand(['bootstrap'], options.environment));
  if (token) {
    remember({ tokens: { ...tokens, [options.key]: token } });
    return token;
  }
  const known = tokens[options.key] ?? process.env['SEALIFT_TOKEN'];
  if (typeof known === 'string' && known !== '') return known;
  throw new LocalFailure(
    'This database has a root token already, but it is not kept here: give one of its tokens as SEALIFT_TOKEN.',
  );
}

function remember(values: Record<string, unknown>): void {
  writeState(stateFile, { ...readState(stateFile), ...values });
}

function listOf(kept: unknown): unknown[] {
  return Array.isArray(kept) ? kept : [];
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
