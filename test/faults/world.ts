import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createTopology } from '../../libs/queue/topology.ts';
import { hostsOf } from '../support/postgres-pair.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { createCaller, type Caller } from './caller.ts';
import type { Store } from './checker.ts';
import { kindOf, type FaultyFake, type Kind } from './kinds.ts';
import { createPoison, type Poison } from './poison.ts';
import { allOf, launchProcesses, type ProcessCounts, type Processes } from './processes.ts';
import { createRecorder } from './recorder.ts';
import { prepare, query } from './prepare.ts';
import { startFaultServers, type Host, type Servers } from './servers.ts';
import { supervise } from './supervised.ts';
import { createSyncing, type Syncing } from './syncing.ts';

/** The processes of a world, and their settings. */
export type WorldOptions = ProcessCounts & {
  /** The world takes them over and discards them. Default: one server of each. */
  servers?: Servers;
  /** Whether all values that the stores accept are recorded; false under load. */
  record?: boolean;
  environment?: Record<string, string>;
  /** Creates the schema and returns the root token. Default: with this version's code. */
  prepare?: typeof prepare;
};

/** The whole system, with a proxy on every link between two kinds of its parts. */
export type World = {
  servers: Servers;
  stores: Map<string, Store>;
  processes: Processes;
  /** `postgres` and `rabbitmq` have one proxy for each host of the servers. */
  proxies: { postgres: Proxy[]; rabbitmq: Proxy[]; apis: Proxy[]; stores: Proxy[] };
  prefix: string;
  /** The lease of a worker's claims. */
  leaseMs: number;
  token: string;
  caller: Caller;
  /** One caller for each API alone. */
  callers: Caller[];
  syncing: Syncing;
  poison: Poison;
  /** Runs a statement directly on the database, not through the proxies. */
  query: <Row extends object>(statement: string) => Promise<Row[]>;
  /** The environment of all processes. */
  environment: Record<string, string>;
  /** Promises that a fault saw broken while it was in progress. */
  broken: string[];
  /** Restarts the connector workers with other settings. */
  restartWorkers: (changed: Record<string, string>) => Promise<void>;
  stop: () => Promise<void>;
};

const SETTINGS = {
  CALL_TIMEOUT: '1500',
  LEASE: '5000',
  SWEEP_INTERVAL: '300',
  RETRY_MIN: '50',
  RETRY_MAX: '1000',
  SHUTDOWN_TIMEOUT: '8000',
  LOG_LEVEL: 'warn',
  SECRETS_RATE_LIMIT_PER_TOKEN: '0',
  SECRETS_RATE_LIMIT_PER_ADDRESS: '0',
  DATABASE_POOL_SIZE: '6',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  AWS_EC2_METADATA_DISABLED: 'true',
  EGRESS_ALLOW: '127.0.0.0/8,localhost',
  // Sealift soon finds a name that somebody else gave up.
  RECHECK_MIN: '300',
};

/** How much longer than its time limit a call may run before it counts as given up. */
const UNDER_WAY_MS = 700;

/** Starts everything at once and in no order, before the schema exists. Undo: `stop`. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const servers = options.servers ?? (await startFaultServers());
  const cleanUps: (() => Promise<void>)[] = [() => servers.discard()];
  const stop = async (): Promise<void> => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  };
  const keep = <Part extends { close?: () => Promise<void>; stop?: () => Promise<unknown> }>(
    part: Part,
  ): Part => {
    cleanUps.push(async () => void (await (part.stop ? part.stop() : part.close?.())));
    return part;
  };
  try {
    return await assemble(options, { servers, stop, keep });
  } catch (error) {
    await stop();
    throw error;
  }
}

type Hands = {
  servers: Servers;
  stop: () => Promise<void>;
  keep: <Part extends { close?: () => Promise<void>; stop?: () => Promise<unknown> }>(part: Part) => Part;
};

async function assemble(options: WorldOptions, { servers, stop, keep }: Hands): Promise<World> {
  const startProxies = (hosts: Host[]): Promise<Proxy[]> =>
    Promise.all(hosts.map(async ({ port }) => keep(await startProxy(port))));
  const postgres = await startProxies(servers.databaseHosts);
  const rabbitmq = await startProxies(servers.brokerHosts);
  const stores = new Map<string, Store>();
  const storeProxies: Proxy[] = [];
  const addresses: Record<string, string> = {};
  const leaseMs = Number(options.environment?.['LEASE'] ?? SETTINGS.LEASE);
  const callMs = Number(options.environment?.['CALL_TIMEOUT'] ?? SETTINGS.CALL_TIMEOUT);
  for (const type of Object.keys(options.workers)) {
    const kind = kindOf(type);
    const recorder = createRecorder(kind, callMs + UNDER_WAY_MS);
    // A late write and a copy that does not show it yet may come together: one lease is for each.
    const copyLagMs = leaseMs / 2;
    const fake = keep(
      await kind.start(
        options.record === false ? { copyLagMs } : { copyLagMs, latencyMs: 2, answered: recorder.observe },
      ),
    );
    const planted = plant(kind, fake);
    recorder.watch(fake);
    const proxy = keep(await startProxy(portOf(fake.url)));
    storeProxies.push(proxy);
    const url = through(fake.url, proxy).replace(/\/$/, '');
    stores.set(type, { type, kind, fake, url, leaseMs, recorder, planted, cutCalls: proxy.cutCalls });
    Object.assign(addresses, kind.environment(fake, url));
  }
  const prefix = `faults-${randomBytes(4).toString('hex')}`;
  const environment: Record<string, string> = {
    ...SETTINGS,
    ...addresses,
    DATABASE_URL: throughAll(servers.databaseHosts, postgres),
    AMQP_URL: throughAll(servers.brokerHosts, rabbitmq),
    AMQP_PREFIX: prefix,
    SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
    ...options.environment,
  };
  const { processes, apiPorts } = await launchProcesses(options, async (one) =>
    keep(
      await supervise({
        ...one,
        environment: () => ({ ...environment, ...one.environment }),
        log: join(servers.directory, `${one.name}.log`),
      }),
    ),
  );
  const apiProxies: Proxy[] = [];
  for (const port of apiPorts) apiProxies.push(keep(await startProxy(port)));
  const token = await (options.prepare ?? prepare)(servers, environment);
  await Promise.all(allOf(processes).map((one) => one.ready()));
  const urls = apiProxies.map(({ port }) => `http://127.0.0.1:${port}`);
  const caller = createCaller(urls, token);
  return {
    servers,
    stores,
    processes,
    proxies: { postgres, rabbitmq, apis: apiProxies, stores: storeProxies },
    prefix,
    leaseMs,
    token,
    caller,
    callers: urls.map((url) => createCaller([url], token)),
    syncing: createSyncing(caller),
    poison: createPoison(createTopology({ AMQP_PREFIX: prefix, AMQP_URL: '' }).deadLetters),
    query: (statement) => query(servers, statement),
    environment,
    broken: [],
    restartWorkers: async (changed) => {
      Object.assign(environment, changed);
      await Promise.all(processes.workers.map((worker) => worker.kill('SIGTERM')));
      await Promise.all(processes.workers.map((worker) => worker.ready()));
    },
    stop,
  };
}

function plant(kind: Kind, fake: FaultyFake): Map<string, string> {
  const planted = new Map(
    Array.from({ length: 5 }, (_, index) => {
      const name = ['somebody', 'elses', String(index)].join(kind.separator);
      return [kind.spell(name), `theirs ${index}`];
    }),
  );
  for (const [name, value] of planted) fake.plant(kind.foreign({ name, value }, 'somebody'));
  return planted;
}

function through(url: string, proxy: Proxy): string {
  const changed = new URL(url);
  changed.port = String(proxy.port);
  return changed.href;
}

function throughAll(hosts: Host[], proxies: Proxy[]): string {
  return hostsOf(...hosts.map(({ url }, index) => ({ url, port: proxies[index]?.port ?? 0 })));
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}
