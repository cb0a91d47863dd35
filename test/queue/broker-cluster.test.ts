import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import { expect } from 'chai';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import { createCommandCaller, serveCommands } from '../../libs/queue/commands.ts';
import {
  assertCommandQueue,
  assertConnectorQueue,
  createTopology,
  type Topology,
} from '../../libs/queue/topology.ts';
import { consumeWorkNotifications, createWorkNotifier } from '../../libs/queue/work-notifications.ts';
import { startBrokerCluster, type BrokerCluster, type BrokerNode } from '../support/broker-cluster.ts';
import { eventually } from '../support/eventually.ts';
import { hostsOf } from '../support/postgres-pair.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';

const TYPE = 'cloud1-sm';
const log = createLog({ service: 'test', level: 'silent' });
const keyring = createKeyring(randomBytes(32));

const LOSSES: Record<string, (proxy: Proxy, node: BrokerNode) => unknown> = {
  'can no longer be reached': (proxy) => proxy.block(true),
  dies: (_proxy, node) => node.kill(),
};

/** Notifies and calls commands; a receiver listens and serves. */
type Sender = {
  notify: () => void;
  /** The numbers of its notifications so far. */
  sent: number[];
  /** The numbers that the receiver got, whoever sent them. */
  heard: Set<number>;
  add: (number: number) => Promise<unknown>;
};

describe('a RabbitMQ of three nodes', function () {
  let cluster: BrokerCluster;
  let topology: Topology;
  let tests = 0;
  let heard: Set<number>;
  let last = 0;
  let brokers: Broker[] = [];
  let proxies: Proxy[] = [];

  before(async () => {
    cluster = await startBrokerCluster();
  });

  // If a node dies within a second after a queue was deleted and re-declared, it never finds its copy again.
  const useNewQueues = (): void => {
    topology = createTopology({ AMQP_PREFIX: `test-${(tests += 1)}`, AMQP_URL: cluster.url });
    heard = new Set();
  };
  beforeEach(useNewQueues);

  afterEach(async () => {
    await Promise.all(brokers.splice(0).map((broker) => broker.stop()));
    await Promise.all(proxies.splice(0).map((proxy) => proxy.close()));
  });

  after(() => cluster?.discard());

  const createBroker = (url = cluster.url): Broker => {
    const broker = new Broker({ url, name: 'test', log });
    brokers.push(broker);
    return broker;
  };
  const start = async (...started: Broker[]): Promise<void> => {
    for (const broker of started) broker.start();
    await eventually(() => started.every((broker) => broker.ready));
  };

  // The node of the connection that declares a queue becomes its leader.
  const declare = async (leader: BrokerNode): Promise<void> => {
    const connection = await connect(leader.url);
    const channel = await connection.createChannel();
    await assertConnectorQueue(channel, topology.connectorQueue(TYPE), topology.workQueueKind);
    await assertCommandQueue(channel, topology.commandQueue('settings'));
    await connection.close();
  };
  const createSender = (url: string): { sender: Sender; broker: Broker } => {
    const broker = createBroker(url);
    const tell = createWorkNotifier(broker, topology, log);
    const commands = createCommandCaller(broker, {
      topology,
      log,
      keyring,
      databaseId: 'one',
      timeoutMs: 5000,
    });
    const sent: number[] = [];
    const notify = (): void => {
      sent.push((last += 1));
      tell(new Map([[TYPE, [last]]]));
    };
    const add = (number: number) => commands.call('settings', { name: 'add', body: number });
    return { sender: { notify, sent, heard, add }, broker };
  };
  const startBoth = async (senderUrl: string, receiverUrl: string): Promise<Sender> => {
    const { sender, broker } = createSender(senderUrl);
    const receiver = createBroker(receiverUrl);
    const handle = async (ids: number[]): Promise<void> => ids.forEach((id) => sender.heard.add(id));
    consumeWorkNotifications(receiver, { topology, type: TYPE, prefetch: 8, log, handle });
    const handlers = { add: async (body: unknown) => Number(body) + 1 };
    serveCommands(receiver, { topology, worker: 'settings', log, keyring, databaseId: 'one', handlers });
    await start(broker, receiver);
    return sender;
  };
  // Both connect to that node first; `joined` counts their connections to the others.
  const startBothAt = async (node: BrokerNode) => {
    const lines = await Promise.all(cluster.nodes.map(({ port }) => startProxy(port)));
    proxies.push(...lines);
    const proxy = lines[cluster.nodes.indexOf(node)];
    if (!proxy) throw new Error('each node has a proxy');
    const others = lines.filter((line) => line !== proxy);
    const url = hostsOf(...lines.map(({ port }) => ({ url: cluster.url, port })));
    for (const other of others) other.block(true);
    const sender = await startBoth(url, url);
    for (const other of others) other.block(false);
    expect(proxy.connections()).to.equal(2);
    const joined = (): number => others.reduce((sum, other) => sum + other.connections(), 0);
    return { sender, proxy, joined };
  };
  // Counts from now on: earlier messages may be lost or delivered late.
  const goesOn = async ({ notify, sent, heard: numbers, add }: Sender, limitMs: number): Promise<void> => {
    const before = sent.length;
    const isHeard = (): boolean => {
      notify();
      return sent.slice(before).some((number) => numbers.has(number));
    };
    const [result] = await Promise.all([
      eventually(() => add(2), { limitMs, everyMs: 100 }),
      eventually(isHeard, { limitMs, everyMs: 100 }),
    ]);
    expect(result).to.equal(3);
  };

  it('notifications and commands survive the death of the node that leads their queues', async () => {
    const [leader, second, third] = cluster.nodes;
    if (!leader || !second || !third) throw new Error('there are three nodes');
    await declare(leader);
    const both = await startBoth(second.url, third.url);
    await goesOn(both, 10_000);
    const newcomers = [20, 60, 120].map((delayMs) => ({ delayMs, ...createSender(second.url) }));
    await start(...newcomers.map(({ broker }) => broker));
    const killed = leader.kill();
    // The election takes at least 200 ms. A channel whose first message comes before its end is refused everything.
    const begun = newcomers.map(async ({ delayMs, sender }) => {
      await sleep(delayMs);
      await goesOn(sender, 30_000);
    });
    await Promise.all([killed, goesOn(both, 30_000), ...begun]);
    await leader.start();
  });

  it('notifications and commands go on while a node stands still, and its own clients leave it', async () => {
    // Not a node that has just come back: the others do not know it well enough yet to miss it.
    const [second, node, third] = cluster.nodes;
    if (!second || !node || !third) throw new Error('there are three nodes');
    await declare(node);
    const elsewhere = await startBoth(second.url, third.url);
    await goesOn(elsewhere, 10_000);
    useNewQueues();
    const { sender, joined } = await startBothAt(node);
    await goesOn(sender, 10_000);
    await node.freeze();
    try {
      // The other nodes miss it after ten seconds, and its clients after two or three heartbeats of ten seconds each.
      const leave = eventually(() => joined() === 2);
      await Promise.all([goesOn(elsewhere, 20_000), leave]);
    } finally {
      await node.thaw();
    }
    await Promise.all([goesOn(elsewhere, 30_000), goesOn(sender, 30_000)]);
  });

  for (const [loss, lose] of Object.entries(LOSSES))
    it(`notifications and commands go on by another node where theirs ${loss}`, async () => {
      const [node] = cluster.nodes;
      if (!node) throw new Error('there are three nodes');
      await declare(node);
      const { sender, proxy, joined } = await startBothAt(node);
      await goesOn(sender, 10_000);
      await lose(proxy, node);
      // Its queues may have no leader at this moment, and the broker refuses clients that come then.
      const hasJoined = (): boolean => {
        sender.notify();
        return joined() === 2;
      };
      await eventually(hasJoined, { everyMs: 10 });
      await goesOn(sender, 45_000);
      await node.start();
    });

  it('commands are carried out whichever node is lost', async () => {
    const { add } = await startBoth(cluster.url, cluster.url);
    for (const node of cluster.nodes) {
      await node.kill();
      expect(await eventually(() => add(2))).to.equal(3);
      // Nothing needs the last one any more.
      if (node !== cluster.nodes.at(-1)) await node.start();
    }
  });
});
