import { expect } from 'chai';
import { connect } from 'amqplib';
import { randomBytes } from 'node:crypto';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { RequestError, unprocessable } from '../../libs/errors/request-error.ts';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import {
  createCommandCaller,
  serveCommands,
  type CommandCaller,
  type CommandHandler,
} from '../../libs/queue/commands.ts';
import { assertCommandQueue, createTopology, type Topology } from '../../libs/queue/topology.ts';
import { startProxy } from './support/proxy.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';

const log = createLog({ service: 'test', level: 'silent' });
const keyring = createKeyring(randomBytes(32));

const MAY_BE_DONE = /the change may have been made: read it before sending it again$/;

describe('commands to workers', () => {
  let prefix: string;
  let topology: Topology;
  let brokers: Broker[] = [];
  let commands: CommandCaller;

  beforeEach(() => {
    // New names: a quorum queue that is declared right after one of the same name was deleted may deliver nothing.
    prefix = `test-${randomBytes(6).toString('hex')}`;
    topology = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: '' });
    const broker = createBroker();
    commands = createCommandCaller(broker, { topology, log, keyring, databaseId: 'one', timeoutMs: 5000 });
    broker.start();
  });

  afterEach(async () => {
    await Promise.all(brokers.map((broker) => broker.stop()));
    brokers = [];
    await deleteQueues(infrastructure().amqpUrl, prefix);
  });

  function createBroker(url = infrastructure().amqpUrl): Broker {
    const broker = new Broker({ url, name: 'test', log });
    brokers.push(broker);
    return broker;
  }

  async function startWorker(
    handlers: Record<string, CommandHandler>,
    prefetch = 8,
    url = infrastructure().amqpUrl,
  ) {
    const broker = createBroker(url);
    const server = serveCommands(broker, {
      topology,
      worker: 'settings',
      log,
      keyring,
      databaseId: 'one',
      prefetch,
      handlers,
    });
    broker.start();
    await eventually(() => broker.ready);
    return { broker, server };
  }

  it('a command may take longer than it takes to know that nobody is there', async () => {
    const slow = () => new Promise((resolve) => setTimeout(resolve, 4800, 'done'));
    const call = () => commands.call('settings', { name: 'slow', body: {} }, { timeoutMs: 10_000 });
    // Some commands are in the queue before the worker, which gets them as soon as it consumes.
    const early = Promise.all([call(), call(), call()]);
    await startWorker({ slow });
    expect(await early).to.deep.equal(['done', 'done', 'done']);
    expect(await call()).to.equal('done');
  });

  it('a command brings the result of the handler back', async () => {
    await startWorker({ double: async (body) => Number(body) * 2 });
    const results = await Promise.all(
      [1, 2, 3].map((body) => commands.call('settings', { name: 'double', body })),
    );
    expect(results).to.deep.equal([2, 4, 6]);
  });

  it('a command brings a refusal back with status, code, problems and headers', async () => {
    const problem = { detail: 'too small', pointer: '/data/attributes/x' };
    await startWorker({
      refuse: async () => {
        throw unprocessable(problem);
      },
    });
    const error = await failureOf(commands.call('settings', { name: 'refuse', body: {} }));
    expect(error).to.include({ status: 422, code: 'unprocessable' });
    expect(error.problems).to.deep.equal([problem]);
  });

  it('a command says nothing about an error that was not meant for the caller', async () => {
    await startWorker({
      fail: async () => {
        throw new Error('password=hunter2');
      },
    });
    const error = await failureOf(commands.call('settings', { name: 'fail', body: {} }));
    expect(error.status).to.equal(500);
    expect(JSON.stringify(error)).not.to.contain('hunter2');
  });

  it('a command without a worker ends with 503 within 5 s, and no later one runs it', async () => {
    let runs = 0;
    const started = Date.now();
    const error = await failureOf(commands.call('settings', { name: 'count', body: {} }));
    expect(Date.now() - started).to.be.lessThan(5000);
    expect(error.status).to.equal(503);
    expect(error.headers).to.have.property('Retry-After');
    expect(textOf(error)).to.match(/^no settings worker accepted the command in time.*nothing was done$/);
    await startWorker({ count: async () => (runs += 1) });
    await commands.call('settings', { name: 'count', body: {} });
    expect(runs).to.equal(1);
  });

  it('a command ends with 503 and is not carried out where the broker cannot be reached', async () => {
    const away = createBroker('amqp://127.0.0.1:1');
    const calls = createCommandCaller(away, { topology, log, keyring, databaseId: 'one', timeoutMs: 5000 });
    away.start();
    const error = await failureOf(calls.call('settings', { name: 'store', body: {} }));
    expect(error.status).to.equal(503);
    expect(textOf(error)).to.match(/broker cannot be reached; nothing was done$/);
  });

  it('a command ends with 503 where the result does not come in time', async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    await startWorker({ hang: () => released });
    const call = commands.call('settings', { name: 'hang', body: {} }, { timeoutMs: 100 });
    const error = await failureOf(call);
    expect(error.status).to.equal(503);
    expect(textOf(error))
      .to.match(/did not answer in time/)
      .and.to.match(MAY_BE_DONE);
    release();
  });

  it('a command is sealed on the broker', async () => {
    const connection = await connect(infrastructure().amqpUrl);
    const channel = await connection.createChannel();
    const secret = 'a-password-nobody-may-read';
    const call = failureOf(commands.call('settings', { name: 'store', body: { secret } }));
    const queue = topology.commandQueue('settings');
    await assertCommandQueue(channel, queue);
    try {
      const message = await eventually(async () => {
        const got = await channel.get(queue, { noAck: true });
        if (got === false) throw new Error('no command on the queue');
        return got;
      });
      expect(message.content.toString('latin1')).not.to.contain(secret);
    } finally {
      await connection.close();
      await call;
    }
  });

  it('a command runs at most once, and is refused after it was delivered to a lost worker', async () => {
    let runs = 0;
    const first = await startWorker({ count: () => new Promise(() => (runs += 1)) });
    const call = failureOf(commands.call('settings', { name: 'count', body: {} }));
    await eventually(() => runs === 1);
    await startWorker({ count: async () => (runs += 1) });
    await first.broker.stop();
    const error = await call;
    expect(error.status).to.equal(503);
    expect(textOf(error)).to.match(MAY_BE_DONE);
    expect(runs).to.equal(1);
  });

  it('a command is not said to be undone where its worker is lost right after it began', async () => {
    let runs = 0;
    const only = await startWorker({ count: () => new Promise(() => (runs += 1)) });
    const call = failureOf(commands.call('settings', { name: 'count', body: {} }));
    await eventually(() => runs === 1);
    await only.broker.stop();
    const error = await call;
    expect(error.status).to.equal(503);
    expect(textOf(error)).to.match(MAY_BE_DONE);
  });

  it('commands are shared by several workers, each taking no more than it may have under way', async () => {
    const loads: number[] = [];
    const worker = () => {
      let load = 0;
      return async () => {
        load += 1;
        loads.push(load);
        await new Promise((resolve) => setTimeout(resolve, 30));
        load -= 1;
      };
    };
    await startWorker({ work: worker() }, 2);
    await startWorker({ work: worker() }, 2);
    await Promise.all(
      Array.from({ length: 12 }, () => commands.call('settings', { name: 'work', body: {} })),
    );
    expect(loads).to.have.length(12);
    expect(Math.max(...loads)).to.be.at.most(2);
  });

  it('commands work again after the queue was deleted under the worker', async () => {
    await startWorker({ echo: async (body) => body });
    // The caller declares the queue only once. If a client re-declares it within some 40 ms of its deletion, RabbitMQ 3.10
    // neither notifies the consumer nor delivers to it.
    expect(await commands.call('settings', { name: 'echo', body: 6 })).to.equal(6);
    const connection = await connect(infrastructure().amqpUrl);
    const channel = await connection.createChannel();
    await channel.deleteQueue(topology.commandQueue('settings'));
    await connection.close();
    const answer = await eventually(() => commands.call('settings', { name: 'echo', body: 7 }));
    expect(answer).to.equal(7);
  });

  it('commands work again after connections were cut on both sides', async () => {
    const proxy = await startProxy(infrastructure().amqpUrl);
    const broker = createBroker(proxy.url);
    const calls = createCommandCaller(broker, { topology, log, keyring, databaseId: 'one', timeoutMs: 5000 });
    broker.start();
    await startWorker({ echo: async (body) => body, hang: () => new Promise(() => undefined) }, 8, proxy.url);
    expect(await calls.call('settings', { name: 'echo', body: 1 })).to.equal(1);
    const hanging = failureOf(calls.call('settings', { name: 'hang', body: {} }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    proxy.cut();
    const error = await hanging;
    expect(error.status).to.equal(503);
    expect(textOf(error))
      .to.match(/connection .* lost/)
      .and.to.match(MAY_BE_DONE);
    const again = await eventually(() => calls.call('settings', { name: 'echo', body: 2 }));
    expect(again).to.equal(2);
    await proxy.close();
  });

  it('commands under way are finished by a worker that is asked to stop', async () => {
    const slow = () => new Promise((resolve) => setTimeout(resolve, 200, 'done'));
    let workers = [await startWorker({ slow })];
    for (let round = 0; round < 5; round += 1) {
      const call = commands.call('settings', { name: 'slow', body: {} });
      await new Promise((resolve) => setTimeout(resolve, 50));
      const next = await startWorker({ slow });
      for (const { server, broker } of workers) {
        await server.stop();
        await broker.stop();
      }
      expect(await call).to.equal('done');
      workers = [next];
    }
  });
});

function textOf(error: RequestError): string {
  return error.problems.map(({ detail }) => detail).join();
}

async function failureOf(call: Promise<unknown>): Promise<RequestError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof RequestError) return error;
    throw error;
  }
  throw new Error('the command should have failed');
}
