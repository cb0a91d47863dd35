import { randomBytes } from 'node:crypto';
import { connect, type Channel, type ChannelModel } from 'amqplib';
import { expect } from 'chai';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import { assertConnectorQueue, createTopology, type Topology } from '../../libs/queue/topology.ts';
import { consumeWorkNotifications, createWorkNotifier } from '../../libs/queue/work-notifications.ts';
import { loadConfig } from '../../libs/config/config.ts';
import { examineBroker } from '../../libs/service/diagnosis/broker.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';

const TYPE = 'cloud1-sm';
const log = createLog({ service: 'test', level: 'silent' });

describe('the queues of work notifications', () => {
  let prefix: string;
  let single: Topology;
  let cluster: Topology;
  let operator: ChannelModel;
  let channel: Channel;
  let brokers: Broker[];

  beforeEach(async () => {
    const { amqpUrl } = infrastructure();
    // New names: a quorum queue that is declared right after one of the same name was deleted may deliver nothing.
    prefix = `test-${randomBytes(6).toString('hex')}`;
    single = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: amqpUrl });
    cluster = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: 'amqp://one:5672,two:5672' });
    operator = await connect(amqpUrl);
    channel = await operator.createChannel();
    brokers = [];
  });

  afterEach(async () => {
    await Promise.all(brokers.map((broker) => broker.stop()));
    await operator.close();
    await deleteQueues(infrastructure().amqpUrl, prefix);
  });

  const start = async (topology: Topology) => {
    let warnings = 0;
    const warn = (): void => void (warnings += 1);
    const broker = new Broker({ url: infrastructure().amqpUrl, name: 'test', log: { ...log, warn } });
    brokers.push(broker);
    const heard: number[] = [];
    const notify = createWorkNotifier(broker, topology, log);
    const handle = async (ids: number[]): Promise<void> => void heard.push(...ids);
    const consumer = { topology, type: TYPE, prefetch: 8, log, handle, replacedAfterMs: 300 };
    consumeWorkNotifications(broker, consumer);
    broker.start();
    await eventually(() => broker.ready);
    return { heard, warnings: () => warnings, notify: (id: number) => notify(new Map([[TYPE, [id]]])) };
  };
  const isThere = async (queue: string): Promise<boolean> => {
    const asking = await operator.createChannel();
    asking.on('error', () => undefined);
    return asking.checkQueue(queue).then(
      () => true,
      () => false,
    );
  };
  const examine = async () => {
    const config = loadConfig({
      DATABASE_URL: 'postgres://127.0.0.1/unused',
      AMQP_URL: infrastructure().amqpUrl,
      AMQP_PREFIX: prefix,
      SEALIFT_MASTER_KEY: randomBytes(32).toString('base64'),
    });
    const { workers, findings } = await examineBroker(config, new Map([[TYPE, 1]]));
    return { worker: workers?.find(({ type }) => type === TYPE), findings };
  };

  it('one RabbitMQ keeps work notifications in a classic queue, several nodes in a quorum queue', async () => {
    for (const [topology, kind] of [
      [single, 'classic'],
      [cluster, 'quorum'],
    ] as const) {
      const { heard, notify } = await start(topology);
      await eventually(() => {
        notify(7);
        return heard.includes(7);
      });
      // RabbitMQ refuses to declare a queue as another kind than it is.
      await assertConnectorQueue(channel, topology.connectorQueue(TYPE), kind);
    }
    expect(single.connectorQueue(TYPE)).to.not.equal(cluster.connectorQueue(TYPE));
  });

  it('the queue that an upgrade leaves behind is deleted with its messages once nobody reads it', async () => {
    const former = cluster.connectorQueue(TYPE);
    await assertConnectorQueue(channel, former, 'quorum');
    channel.sendToQueue(former, Buffer.from('{"destinations":[1]}'));
    const { heard, notify } = await start(single);
    await eventually(async () => !(await isThere(former)));
    notify(2);
    await eventually(() => heard.includes(2));
  });

  it('a queue that former workers still read is left to them, and doctor tells of it', async () => {
    const former = cluster.connectorQueue(TYPE);
    const old = await start(cluster);
    const next = await start(single);
    const { worker, findings } = await examine();
    expect(worker).to.include({ running: 2 });
    const found = findings.find(({ check }) => check === 'work queues');
    expect(found?.detail).to.contain(`a former version, read ${former}`);
    expect(found?.advice).to.contain('AMQP_URL');
    // Longer than it takes to delete what nobody reads.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(old.warnings()).to.equal(0);
    old.notify(1);
    next.notify(2);
    await eventually(() => old.heard.includes(1) && next.heard.includes(2));
  });
});
