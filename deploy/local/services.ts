import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { NODE_ENVIRONMENT, NODE_FLAGS } from '../../libs/service/runtime.ts';
import { catalog } from '../../services/connectors/catalog.ts';
import { LocalFailure } from './failure.ts';
import { choosePort, isPortFree } from './ports.ts';
import { findRunning, startProcess, stopProcess, tailLog } from './processes.ts';
import { localDirectory, projectRoot } from './root.ts';
import { readState, writeState } from './state.ts';
import { waitFor } from './wait.ts';

/** One process of the service: `folder` below the project holds its `main.ts`. */
export interface LocalService {
  readonly name: string;
  readonly folder: string;
  readonly arguments: readonly string[];
}

/** Time limit of a service's start. The limit of a stop must exceed the services' own SHUTDOWN_TIMEOUT of 20 s. */
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 25_000;

const portsFile = join(localDirectory, 'ports.json');

/** The whole service in one process: it has the name and the ports of the API. */
const ONE_PROCESS: LocalService = {
  name: 'api',
  folder: 'services/cli',
  arguments: ['serve', 'all', '--one-process'],
};

/** All processes, from the tree and the catalog. The API is last, so that it opens when the others work. */
export function findServices({ oneProcess = false } = {}): LocalService[] {
  if (oneProcess) return [ONE_PROCESS];
  const connectors = catalog.map(({ type }) => ({
    name: type,
    folder: 'services/connectors',
    arguments: [type],
  }));
  const others = listPrograms('services').filter(({ name }) => !['cli', 'connectors'].includes(name));
  return [...connectors, ...others].sort((left, right) => rank(left) - rank(right));
}

/**
 * Starts the services that do not run, each in its own process or all in one, and waits until all are ready. Returns the
 * started names and the API's URL.
 */
export async function startServices(
  environment: NodeJS.ProcessEnv,
  options: { oneProcess: boolean },
): Promise<{ started: string[]; apiUrl: string }> {
  const started: string[] = [];
  const probes = new Map<string, string>();
  const services = findServices(options);
  const isRunning = ({ name }: LocalService): boolean =>
    findRunning({ directory: localDirectory, name }) !== undefined;
  // Before all others, which sign identity tokens for its address.
  const api = services.find(isApi);
  if (!api) throw new Error('there is no API to start');
  const apiPorts = await choosePortsOf({
    service: api,
    isRunning: isRunning(api),
    wanted: environment['PORT'],
  });
  const apiUrl = originOf(environment, apiPorts.port);
  for (const service of services) {
    const ports = isApi(service)
      ? apiPorts
      : await choosePortsOf({ service, isRunning: isRunning(service), wanted: undefined });
    probes.set(service.name, isApi(service) ? apiUrl : `http://127.0.0.1:${ports.healthPort}`);
    if (isRunning(service)) continue;
    started.push(service.name);
    await startProcess({
      directory: localDirectory,
      name: service.name,
      command: process.execPath,
      arguments: argumentsOf(service),
      workingDirectory: projectRoot,
      environment: {
        // Alerts lead to the console.
        ...(service.name === 'key-maintenance' ? { PUBLIC_URL: apiUrl } : {}),
        ...environmentOf(environment, { healthPort: ports.healthPort, apiPort: apiPorts.port }),
      },
    });
  }
  await Promise.all([...probes].map(([name, origin]) => waitUntilReady(name, `${origin}/health/ready`)));
  return { started, apiUrl };
}

function originOf(environment: NodeJS.ProcessEnv, apiPort: number): string {
  return `http://${hostOf(environment['HOST'])}:${apiPort}`;
}

/** The environment of any service, which knows the address of the API like all others. */
export function environmentOf(
  environment: NodeJS.ProcessEnv,
  { healthPort, apiPort }: { healthPort: number; apiPort: number },
): NodeJS.ProcessEnv {
  return {
    ...NODE_ENVIRONMENT,
    NODE_COMPILE_CACHE: join(localDirectory, 'compile-cache'),
    ...environment,
    HEALTH_PORT: String(healthPort),
    HEALTH_HOST: '127.0.0.1',
    PORT: String(apiPort),
    ...(environment['ISSUER_URL'] || environment['PUBLIC_URL']
      ? {}
      : { ISSUER_URL: originOf(environment, apiPort) }),
  };
}

/** Stops all services, the API first. Returns the names of those that ran. */
export async function stopServices(): Promise<string[]> {
  const stopped: string[] = [];
  for (const { name } of findServices().reverse()) {
    if (await stopService(name)) stopped.push(name);
  }
  return stopped;
}

/** Stops one service. True if it ran. */
export function stopService(name: string): Promise<boolean> {
  return stopProcess({ directory: localDirectory, name, limitMs: STOP_LIMIT_MS });
}

/** What Node.js is started with to run a service. */
export function argumentsOf(service: LocalService): string[] {
  return [...NODE_FLAGS, programOf(service), ...service.arguments];
}

/** The bundled program. */
export function programOf(service: LocalService): string {
  return join(projectRoot, 'dist/programs', basename(service.folder), 'main.js');
}

function listPrograms(folder: string): LocalService[] {
  const path = join(projectRoot, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => existsSync(join(path, name, 'main.ts')))
    .sort()
    .map((name) => ({ name, folder: join(folder, name), arguments: [] }));
}

function rank(service: LocalService): number {
  return isApi(service) ? 1 : 0;
}

function isApi({ name }: LocalService): boolean {
  return name === 'api';
}

/** Keeps the ports for the next start, so that bookmarks and client configurations stay valid. */
async function choosePortsOf(options: {
  service: LocalService;
  isRunning: boolean;
  wanted: string | undefined;
}): Promise<{ port: number; healthPort: number }> {
  const kept = readState(portsFile);
  const { name } = options.service;
  const healthKey = `${name}-health`;
  if (options.isRunning) return { port: Number(kept[name]), healthPort: Number(kept[healthKey]) };
  const healthPort = await choosePort(kept[healthKey]);
  if (name !== 'api') {
    writeState(portsFile, { ...kept, [healthKey]: healthPort });
    return { port: 0, healthPort };
  }
  const port = options.wanted ? Number(options.wanted) : await choosePort(kept[name] ?? 8200);
  // Otherwise the answer of another program on this port would count as our readiness.
  if (!(await isPortFree(port)))
    throw new LocalFailure(`PORT is ${port}, but something listens there already.`);
  writeState(portsFile, { ...kept, [healthKey]: healthPort, [name]: port });
  return { port, healthPort };
}

function hostOf(host: string | undefined): string {
  if (!host || host === '0.0.0.0' || host === '::') return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

async function waitUntilReady(name: string, url: string): Promise<void> {
  let last = 'no answer';
  let isReady = false;
  await waitFor({
    limitMs: READY_LIMIT_MS,
    intervalMs: 100,
    check: async () => {
      if (!findRunning({ directory: localDirectory, name })) {
        last = 'the process has ended';
        return true;
      }
      try {
        const reply = await fetch(url, { signal: AbortSignal.timeout(3000) });
        isReady = reply.ok;
        last = `${reply.status} ${(await reply.text()).slice(0, 500)}`;
      } catch {
        // Not listening yet.
      }
      return isReady;
    },
  });
  if (isReady) return;
  const log = tailLog({ directory: localDirectory, name });
  throw new LocalFailure(`${name} did not become ready (${url}: ${last}).\n${log}`);
}
