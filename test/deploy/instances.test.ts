import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ChannelModel } from 'amqplib';
import { expect } from 'chai';
import pg from 'pg';
import { findRunning } from '../../deploy/local/processes.ts';
import { startPostgres } from '../../deploy/local/postgres.ts';
import { startRabbitmq } from '../../deploy/local/rabbitmq.ts';
import { discardServers } from '../../deploy/local/servers.ts';
import { readState } from '../../deploy/local/state.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { findListeners, findProcessesOf } from './find-processes.ts';

const loopback = '0100007F';
const loopbacks = new Set([loopback, '00000000000000000000000001000000']);

describe('private servers', () => {
  // A broker takes 5 s to start even on an idle machine.
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'sealift-instances-'));
    chmodSync(root, 0o755);
  });

  afterEach(async () => {
    await discardServers(root);
    await eventually(() => expect(findProcessesOf(root)).to.deep.equal([]));
  });

  it('Postgres keeps its data and its address over stop and start, and leaves no process behind', async () => {
    const directory = join(root, 'postgres');
    const first = await startPostgres({ directory });
    await query(first.url, 'create table kept as select 42 as answer');
    const port = Number(readState(join(directory, 'postgres.json'))['port']);
    expect(findListeners(port)).to.deep.equal([loopback]);
    await first.stop();
    await eventually(() => expect(findProcessesOf(root)).to.deep.equal([]));

    const second = await startPostgres({ directory });
    expect(second.url).to.equal(first.url);
    expect(await query(second.url, 'select answer from kept')).to.deep.equal([{ answer: 42 }]);
  });

  it('Postgres starts in a closed checkout, and leaves nothing outside when removed', async () => {
    chmodSync(root, 0o700);
    const directory = join(root, 'postgres');
    const { url } = await startPostgres({ directory });
    expect(await query(url, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    const data = realpathSync(join(directory, 'data'));
    await discardServers(root);
    expect(existsSync(data)).to.equal(false);
    await eventually(() => expect(findProcessesOf(data)).to.deep.equal([]));
  });

  it('Postgres is found again after its parent was killed', async () => {
    const directory = join(root, 'postgres');
    const parent = await startInChild({ module: 'postgres', function: 'startPostgres', directory });
    await kill(parent.child);
    const found = await startPostgres({ directory });
    expect(found.url).to.equal(parent.url);
    await query(found.url, 'create table kept as select 42 as answer');

    const record = findRunning({ directory, name: 'postgres' });
    process.kill(record?.pid ?? 0, 'SIGKILL');
    const restarted = await startPostgres({ directory });
    expect(await query(restarted.url, 'select answer from kept')).to.deep.equal([{ answer: 42 }]);
  });

  it('RabbitMQ keeps its messages over a clean stop and over a kill, beside another instance', async () => {
    const directory = join(root, 'rabbitmq');
    const first = await startRabbitmq({ directory });
    await publish(first.url, 'kept');
    expect(await isReachable(infrastructure().amqpUrl)).to.equal(true);
    const { amqp, distribution, mapper } = readState(join(directory, 'rabbitmq.json'));
    for (const port of [amqp, distribution, mapper]) {
      const listeners = findListeners(Number(port));
      expect(listeners).to.include(loopback);
      expect(listeners.filter((address) => !loopbacks.has(address))).to.deep.equal([]);
    }
    await first.stop();
    await eventually(() => expect(findProcessesOf(root)).to.deep.equal([]));

    const second = await startRabbitmq({ directory });
    expect(await readMessage(second.url)).to.equal('kept');

    // Kills only the start script: the virtual machine lives on and keeps its ports.
    process.kill(findRunning({ directory, name: 'rabbitmq' })?.pid ?? 0, 'SIGKILL');
    expect(findRunning({ directory, name: 'rabbitmq-vm' })).to.not.equal(undefined);
    const third = await startRabbitmq({ directory });
    expect(await readMessage(third.url)).to.equal('kept');
    await third.stop();
    await eventually(() => expect(findProcessesOf(root)).to.deep.equal([]));
  });

  it('RabbitMQ takes another port when a program has just taken the one it chose', async () => {
    const directory = join(root, 'rabbitmq');
    const chosen = () => readState(join(directory, 'rabbitmq.json'))['distribution'];
    const starting = startRabbitmq({ directory });
    const taken = await eventually(chosen, { everyMs: 1 });
    const holder = createServer((connection) => connection.destroy()).listen(Number(taken), '127.0.0.1');
    await once(holder, 'listening');
    try {
      expect(await isReachable((await starting).url)).to.equal(true);
      expect(chosen()).to.not.equal(taken);
    } finally {
      holder.close();
    }
  });

  it('servers of a test run are gone soon after the run was killed', async () => {
    const url = infrastructure().amqpUrl;
    const run = await startInChild({
      module: 'infrastructure',
      function: 'startInfrastructure',
      directory: root,
      environment: { DATABASE_URL: '', TEST_AMQP_URL: url },
    });
    expect(await query(run.url, 'select 1 as one')).to.deep.equal([{ one: 1 }]);
    await kill(run.child);
    await eventually(async () => expect(await canQuery(run.url)).to.equal(false));
  });
});

/** Starts servers from another process, which runs until it is killed. */
async function startInChild(options: {
  module: 'postgres' | 'infrastructure';
  function: string;
  directory: string;
  environment?: Record<string, string>;
}): Promise<{ url: string; child: ChildProcess }> {
  const folder = options.module === 'postgres' ? '../../deploy/local' : '../support';
  const module = new URL(`${folder}/${options.module}.js`, import.meta.url).href;
  const program = `
    const started = await (await import(${JSON.stringify(module)})).${options.function}({
      directory: ${JSON.stringify(options.directory)},
    });
    console.log(started.url ?? started.databaseUrl);
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TEST_DATABASE_URL: '', ...options.environment },
  });
  const [chunk]: unknown[] = await once(child.stdout, 'data');
  return { url: String(chunk).trim(), child };
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

async function canQuery(url: string): Promise<boolean> {
  return query(url, 'select 1').then(
    () => true,
    () => false,
  );
}

async function withBroker<T>(url: string, work: (broker: ChannelModel) => Promise<T>): Promise<T> {
  const broker = await connect(url);
  try {
    return await work(broker);
  } finally {
    await broker.close();
  }
}

async function publish(url: string, text: string): Promise<void> {
  await withBroker(url, async (broker) => {
    const channel = await broker.createConfirmChannel();
    await channel.assertQueue('kept', { durable: true });
    channel.sendToQueue('kept', Buffer.from(text), { persistent: true });
    await channel.waitForConfirms();
  });
}

/** Reads without acknowledging, so that the next reader gets the message too. */
async function readMessage(url: string): Promise<string | undefined> {
  return withBroker(url, async (broker) => {
    const channel = await broker.createChannel();
    const message = await channel.get('kept');
    return message ? message.content.toString() : undefined;
  });
}

async function isReachable(url: string): Promise<boolean> {
  return withBroker(url, () => Promise.resolve(true));
}
