import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type ChannelModel } from 'amqplib';
import { expect } from 'chai';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import { createCommandCaller, serveCommands } from '../../libs/queue/commands.ts';
import { createEventSender } from '../../libs/queue/events.ts';
import { createTopology } from '../../libs/queue/topology.ts';
import { consumeWorkNotifications, createWorkNotifier } from '../../libs/queue/work-notifications.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';

const TYPE = 'cloud1-sm';
const log = createLog({ service: 'test', level: 'silent' });
const keyring = createKeyring(randomBytes(32));

describe('a queue or an exchange that cannot be declared', () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const topology = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: '' });
  let operator: ChannelModel;
  let broker: Broker;
  let warnings: number;

  before(async () => {
    operator = await connect(infrastructure().amqpUrl);
  });
  beforeEach(() => {
    warnings = 0;
    const count = (): void => void (warnings += 1);
    broker = new Broker({ url: infrastructure().amqpUrl, name: 'test', log: { ...log, warn: count } });
  });
  afterEach(() => broker.stop());
  after(async () => {
    await operator.close();
    await deleteQueues(infrastructure().amqpUrl, prefix);
  });

  it('an event is dropped while its exchange cannot be declared, and goes out afterwards', async () => {
    const channel = await operator.createChannel();
    await channel.assertExchange(topology.events, 'fanout');
    const events = createEventSender(broker, topology);
    const send = (): void => events.send({ name: 'test', data: {} });
    broker.start();
    let heard = false;
    for (let times = 0; times < 50; times += 1) {
      send();
      await sleep(10);
    }
    expect(warnings).to.be.above(0);
    await channel.deleteExchange(topology.events);
    await eventually(() => broker.ready);
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, topology.events, '#');
    await channel.consume(queue, () => (heard = true));
    send();
    await eventually(() => heard);
  });

  it('a queue of commands that cannot be declared stops no work notification', async () => {
    const queue = topology.commandQueue('settings');
    const channel = await operator.createChannel();
    await channel.assertQueue(queue, { durable: true });
    const heard: number[] = [];
    const notify = createWorkNotifier(broker, topology, log);
    const commands = createCommandCaller(broker, {
      topology,
      log,
      keyring,
      databaseId: 'one',
      timeoutMs: 5000,
    });
    const handlers = { ask: async () => 'answer' };
    serveCommands(broker, { topology, worker: 'settings', log, keyring, databaseId: 'one', handlers });
    const handle = async (ids: number[]): Promise<void> => void heard.push(...ids);
    consumeWorkNotifications(broker, { topology, type: TYPE, prefetch: 8, log, handle });
    broker.start();
    await eventually(() => {
      notify(new Map([[TYPE, [7]]]));
      return heard.includes(7);
    });
    expect(broker.ready).to.equal(false);
    await channel.deleteQueue(queue);
    await eventually(() => broker.ready);
    expect(await commands.call('settings', { name: 'ask', body: {} })).to.equal('answer');
  });
});
