import { randomBytes } from 'node:crypto';
import { connect, type ChannelModel } from 'amqplib';
import { expect } from 'chai';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import { createCommandCaller, serveCommands } from '../../libs/queue/commands.ts';
import { createTopology } from '../../libs/queue/topology.ts';
import { consumeWorkNotifications, createWorkNotifier } from '../../libs/queue/work-notifications.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';

const TYPE = 'cloud1-sm';
const log = createLog({ service: 'test', level: 'silent' });
const keyring = createKeyring(randomBytes(32));

describe('a queue that cannot be declared', () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const topology = createTopology(prefix);
  const { amqpUrl } = infrastructure();
  let operator: ChannelModel;
  let broker: Broker;

  before(async () => {
    operator = await connect(amqpUrl);
    broker = new Broker({ url: amqpUrl, name: 'test', log });
  });

  after(async () => {
    await broker.stop();
    await operator.close();
    await deleteQueues(amqpUrl, prefix);
  });

  it('a queue of commands that cannot be declared stops no work notification, and is declared once it can be', async () => {
    const queue = topology.commandQueue('settings');
    const channel = await operator.createChannel();
    await channel.assertQueue(queue, { durable: true });
    const heard: number[] = [];
    const notify = createWorkNotifier(broker, topology, log);
    const commands = createCommandCaller(broker, { topology, log, keyring, timeoutMs: 5000 });
    const handlers = { ask: async () => 'answer' };
    serveCommands(broker, { topology, worker: 'settings', log, keyring, handlers });
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
