import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { connect } from 'amqplib';
import { findRabbitmq, type RabbitmqBinaries } from './binaries.ts';
import { LocalFailure } from './failure.ts';
import { choosePorts } from './ports.ts';
import type { LocalServer } from './postgres.ts';
import { commandLineOf } from './process-identity.ts';
import { findRunning, recordProcess, startProcess, stopProcess, tailLog } from './processes.ts';
import { readState, writePrivateFile, writeState } from './state.ts';
import { waitFor } from './wait.ts';

const server = 'rabbitmq';
const machine = 'rabbitmq-vm';
const portMapper = 'epmd';

// A broker without work keeps what its start left behind until its processes collect their garbage: 7 MiB.
const AT_REST = 'background_gc_enabled = true\nbackground_gc_target_interval = 30000\n';

interface Ports {
  readonly amqp: number;
  readonly distribution: number;
  readonly mapper: number;
}

/** A node of a cluster whose nodes start together. They share one port mapper, which the caller starts. */
export interface ClusterMember {
  readonly node: string;
  readonly peers: readonly string[];
  readonly mapper: number;
  /** Shared by all nodes, so that they may connect to each other. */
  readonly cookie: string;
  readonly password: string;
}

/**
 * Starts a private RabbitMQ with its data below `directory`, or finds the one that already runs there. It has its own port
 * mapper, cookie and node, so any number can run side by side. Throws a `LocalFailure` that shows the end of the log.
 */
export async function startRabbitmq(options: {
  directory: string;
  cluster?: ClusterMember;
}): Promise<LocalServer> {
  const { directory } = options;
  const stop = async (): Promise<void> => void (await stopRabbitmq(directory));
  const state = readState(stateFile(directory));
  if (findRunning({ directory, name: server }) && typeof state['amqp'] === 'number') {
    const url = urlOf(state);
    if (await becomesReady({ directory, url, limitMs: 5000 })) return { url, stop };
  }
  // Stops the rest of an earlier run, above all a virtual machine that outlived its parent.
  await stop();
  const binaries = findRabbitmq();
  if (!binaries) throw new LocalFailure('RabbitMQ is not installed: no rabbitmq-server and epmd were found.');
  const { cluster } = options;
  const kept = typeof state['password'] === 'string' ? state['password'] : randomBytes(24).toString('hex');
  const password = cluster?.password ?? kept;
  for (let attempt = 1; ; attempt += 1) {
    // Another program may take a port before RabbitMQ listens on it, so each attempt looks again.
    const ports = await choosePortsOf(readState(stateFile(directory)), cluster);
    const next = { ...ports, password };
    writeState(stateFile(directory), next);
    await launch({ directory, binaries, ports, password, cluster });
    const isReady = await becomesReady({ directory, url: urlOf(next), limitMs: 90_000 });
    adoptMachine(directory);
    if (isReady) return { url: urlOf(next), stop };
    const log = tailLog({ directory, name: server });
    const isStillStarting = await stopRabbitmq(directory);
    if (isStillStarting || attempt === 3) throw new LocalFailure(`RabbitMQ did not become ready.\n${log}`);
  }
}

/** Stops the RabbitMQ of a directory and its port mapper, whoever started it. Keeps its queues. True if it ran. */
export async function stopRabbitmq(directory: string): Promise<boolean> {
  const hadRun = await stopProcess({ directory, name: server, limitMs: 20_000 });
  adoptMachine(directory);
  await stopProcess({ directory, name: machine, limitMs: 5000 });
  await stopProcess({ directory, name: portMapper, limitMs: 2000 });
  return hadRun;
}

/** The ports of the last start, and others for those that are taken. */
async function choosePortsOf(
  { amqp, distribution, mapper }: Record<string, unknown>,
  cluster: ClusterMember | undefined,
): Promise<Ports> {
  const chosen = await choosePorts([amqp, distribution, ...(cluster ? [] : [mapper])]);
  return {
    amqp: chosen[0] ?? 0,
    distribution: chosen[1] ?? 0,
    mapper: cluster?.mapper ?? chosen[2] ?? 0,
  };
}

async function launch(options: {
  directory: string;
  binaries: RabbitmqBinaries;
  ports: Ports;
  password: string;
  cluster: ClusterMember | undefined;
}): Promise<void> {
  const { directory, binaries, ports, cluster } = options;
  const home = join(directory, 'home');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, 'enabled_plugins'), '[].\n');
  writePrivateFile(
    join(directory, 'rabbitmq.conf'),
    `default_user = sealift\ndefault_pass = ${options.password}\ndisk_free_limit.absolute = 50MB\n${AT_REST}${cluster ? describeCluster(cluster) : ''}`,
  );
  if (cluster) writePrivateFile(join(home, '.erlang.cookie'), cluster.cookie);
  const node = cluster?.node ?? 'sealift@localhost';
  const environment = environmentOf({ directory, ports, home, node });
  writeControlScript({ directory, binaries, ports, home, node });
  if (!cluster) await startPortMapper({ directory, port: ports.mapper });
  await startProcess({ directory, name: server, command: binaries.server, arguments: [], environment });
}

/** Writes `rabbitmqctl` below the directory: the program itself would look for the machine's own broker. */
function writeControlScript(options: {
  directory: string;
  binaries: RabbitmqBinaries;
  ports: Ports;
  home: string;
  node: string;
}): void {
  const script = join(options.directory, 'rabbitmqctl');
  const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
  writePrivateFile(
    script,
    [
      '#!/bin/sh',
      `export HOME=${quoted(options.home)} ERL_EPMD_PORT=${options.ports.mapper}`,
      `export RABBITMQ_CONF_ENV_FILE=${quoted(join(options.directory, 'absent'))}`,
      `exec ${quoted(join(dirname(options.binaries.server), 'rabbitmqctl'))} -n ${quoted(options.node)} "$@"\n`,
    ].join('\n'),
  );
  chmodSync(script, 0o700);
}

/**
 * Starts our own port mapper in the foreground: by itself, Erlang would start one as a daemon that nothing ends.
 * `stopRabbitmq` of the same directory ends it.
 */
export async function startPortMapper(options: { directory: string; port: number }): Promise<void> {
  await startProcess({
    directory: options.directory,
    name: portMapper,
    command: findRabbitmq()?.portMapper ?? '',
    arguments: ['-port', String(options.port), '-address', '127.0.0.1'],
    environment: { PATH: process.env['PATH'], HOME: options.directory },
  });
}

// Without the two lines about discovery the first node waits for the others, which wait for it.
function describeCluster({ peers }: ClusterMember): string {
  return [
    'cluster_formation.peer_discovery_backend = classic_config',
    ...peers.map((peer, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${peer}`),
    'cluster_formation.discovery_retry_limit = 1',
    'cluster_formation.discovery_retry_interval = 200',
    'cluster_partition_handling = pause_minority\n',
  ].join('\n');
}

/** False if the time limit has passed or the start script has ended. */
async function becomesReady(options: { directory: string; url: string; limitMs: number }): Promise<boolean> {
  let isReady = false;
  await waitFor({
    limitMs: options.limitMs,
    intervalMs: 150,
    check: async () => {
      isReady = await answers(options.url);
      return isReady || !findRunning({ directory: options.directory, name: server });
    },
  });
  return isReady;
}

function environmentOf(options: {
  directory: string;
  ports: Ports;
  home: string;
  node: string;
}): NodeJS.ProcessEnv {
  const { directory, ports, home } = options;
  const absent = join(directory, 'absent');
  return {
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    HOME: home,
    ERL_EPMD_PORT: String(ports.mapper),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    // Memory outside of Erlang's own allocators: by default glibc keeps what is freed for each thread, 4 MiB.
    MALLOC_ARENA_MAX: '1',
    RABBITMQ_NODENAME: options.node,
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_MNESIA_BASE: join(directory, 'mnesia'),
    RABBITMQ_LOG_BASE: join(directory, 'log'),
    RABBITMQ_LOGS: '-',
    RABBITMQ_PID_FILE: pidFile(directory),
    RABBITMQ_CONFIG_FILE: join(directory, 'rabbitmq.conf'),
    RABBITMQ_CONF_ENV_FILE: absent,
    RABBITMQ_ADVANCED_CONFIG_FILE: absent,
    RABBITMQ_ENABLED_PLUGINS_FILE: join(directory, 'enabled_plugins'),
    // Loopback only, and idle schedulers do not busy-wait: several nodes may share a small machine. The tables of processes and
    // ports are for far more than Sealift has; smaller ones leave 79 of 89 MiB at rest.
    // MMmcs: freed memory goes back to the system at once, 2 MiB.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS:
      '-kernel inet_dist_use_interface {127,0,0,1} +sbwt none +sbwtdcpu none +sbwtdio none +P 65536 +Q 16384 +MMmcs 0',
  };
}

/** Records the virtual machine, a child of the start script, so that it is ended even if the script was killed. */
function adoptMachine(directory: string): void {
  let pid: number;
  try {
    pid = Number(readFileSync(pidFile(directory), 'utf8').trim());
  } catch {
    return;
  }
  if (!commandLineOf(pid).includes(directory)) return;
  recordProcess({ directory, name: machine, pid });
}

async function answers(url: string): Promise<boolean> {
  try {
    const connection = await connect(url, { timeout: 2000 });
    connection.on('error', () => undefined);
    try {
      const channel = await connection.createChannel();
      channel.on('error', () => undefined);
      await channel.assertQueue('', { exclusive: true, autoDelete: true });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
}

function urlOf(state: Record<string, unknown>): string {
  return `amqp://sealift:${String(state['password'])}@127.0.0.1:${String(state['amqp'])}`;
}

function pidFile(directory: string): string {
  return join(directory, 'rabbitmq.pid');
}

function stateFile(directory: string): string {
  return join(directory, 'rabbitmq.json');
}
