import { randomBytes } from 'node:crypto';
import { connect } from 'amqplib';
import { expect } from 'chai';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { RequestError } from '../../libs/errors/request-error.ts';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import { createCommandCaller, serveCommands } from '../../libs/queue/commands.ts';
import { createDepthReader } from '../../libs/queue/depth.ts';
import { createEventSender } from '../../libs/queue/events.ts';
import { createTopology } from '../../libs/queue/topology.ts';
import { consumeWorkNotifications, createWorkNotifier } from '../../libs/queue/work-notifications.ts';
import { startAlarmedBroker, type AlarmedBroker } from '../support/alarm.ts';
import { eventually } from '../support/eventually.ts';

const log = createLog({ service: 'test', level: 'silent' });
const keyring = createKeyring(randomBytes(32));
const topology = createTopology({ AMQP_PREFIX: 'test-alarm', AMQP_URL: '' });
const options = { topology, log, keyring, databaseId: 'one' };

describe('a broker that is short of memory or disk', () => {
  let server: AlarmedBroker;
  let brokers: Broker[] = [];

  before(async () => {
    server = await startAlarmedBroker();
  });
  after(() => server.stop());
  afterEach(async () => {
    await server.alarm(false);
    await Promise.all(brokers.map((broker) => broker.stop()));
    brokers = [];
  });

  const create = (): Broker => {
    const broker = new Broker({ url: server.url, name: 'test', log });
    brokers.push(broker);
    return broker;
  };
  const startWorker = async (run: () => void) => {
    const broker = create();
    const work = async (): Promise<string> => {
      run();
      return 'done';
    };
    const commands = serveCommands(broker, { ...options, worker: 'settings', handlers: { work } });
    const events = createEventSender(broker, topology);
    const readDepth = createDepthReader(broker, topology.commandQueue('settings'));
    broker.start();
    await eventually(() => broker.ready);
    return { broker, commands, events, readDepth };
  };
  const startCaller = async () => {
    const broker = create();
    const commands = createCommandCaller(broker, { ...options, timeoutMs: 5000 });
    broker.start();
    await eventually(() => broker.ready);
    const call = (): Promise<unknown> => commands.call('settings', { name: 'work', body: {} });
    const refusal = async (): Promise<string> => {
      const error = await call().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof RequestError)) throw new Error('the command should have failed');
      expect(error.status).to.equal(503);
      return error.problems.map(({ detail }) => detail).join();
    };
    return { broker, call, refusal };
  };

  it('a command runs neither then nor later when the caller was told that nothing was done', async () => {
    let runs = 0;
    const worker = await startWorker(() => (runs += 1));
    const caller = await startCaller();
    expect(await caller.call()).to.equal('done');
    await server.alarm(true);
    // From now on the broker reads nothing from a connection that publishes.
    worker.events.send({ name: 'test', data: {} });
    await eventually(() => worker.broker.blocked);
    const before = runs;
    const first = await caller.refusal();
    const isKept = /may have been made/.test(first);
    expect(runs).to.equal(before);
    await eventually(() => caller.broker.blocked);
    expect(await caller.refusal()).to.match(/nothing was done/);
    expect([caller.broker.ready, worker.broker.ready]).to.deep.equal([false, false]);
    const after = runs;
    await server.alarm(false);
    await eventually(() => caller.broker.ready && worker.broker.ready);
    expect(await caller.call()).to.equal('done');
    // What may have been made runs now, or was lost with its connection.
    expect(runs - after).to.be.oneOf(isKept ? [1, 2] : [1]);
  });

  it('a command that its full queue refuses is answered with what RabbitMQ said', async () => {
    const worker = await startWorker(() => undefined);
    const caller = await startCaller();
    expect(await caller.call()).to.equal('done');
    await worker.commands.stop();
    await worker.broker.stop();
    const queue = topology.commandQueue('settings');
    await server.control(
      'set_policy',
      'full',
      `^${queue.replaceAll('.', '\\.')}$`,
      '{"max-length":1,"overflow":"reject-publish"}',
    );
    const operator = await connect(server.url);
    const channel = await operator.createConfirmChannel();
    // The broker applies the policy, and notices that the queue is full, a moment later.
    await eventually(async () => {
      channel.sendToQueue(queue, Buffer.from('fills'));
      return channel.waitForConfirms().then(
        () => false,
        () => true,
      );
    });
    expect(await caller.refusal()).to.match(/refuses the command \(basic\.nack\); nothing was done/);
    await server.control('clear_policy', 'full');
    await channel.purgeQueue(queue);
    await operator.close();
  });

  it('a short broker does not keep a worker from ending, nor a reading of a queue', async () => {
    const worker = await startWorker(() => undefined);
    await server.alarm(true);
    worker.events.send({ name: 'test', data: {} });
    await eventually(() => worker.broker.blocked);
    const depth = await worker.readDepth().catch((error: unknown) => error);
    expect(depth).to.be.instanceOf(Error);
    await worker.commands.stop();
    await worker.broker.stop();
  });

  it('notifications of work, and events, that would wait without end are not sent', async () => {
    const broker = create();
    const notifyWork = createWorkNotifier(broker, topology, log);
    const events = createEventSender(broker, topology);
    broker.start();
    const heard: number[] = [];
    const listener = create();
    const handle = async (ids: number[]) => void heard.push(...ids);
    consumeWorkNotifications(listener, { topology, type: 'cloud1-sm', prefetch: 8, log, handle });
    listener.start();
    await eventually(() => broker.ready && listener.ready);
    await server.alarm(true);
    events.send({ name: 'test', data: {} });
    await eventually(() => broker.blocked);
    for (let id = 1; id <= 20; id += 1) {
      notifyWork(new Map([['cloud1-sm', [id]]]));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await server.alarm(false);
    await eventually(() => broker.ready);
    notifyWork(new Map([['cloud1-sm', [99]]]));
    await eventually(() => heard.includes(99));
    expect(heard).to.deep.equal([99]);
  });
});
