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

// Without an error, only missed heartbeats reveal a loss: two or three, of ten seconds each. When a node dies, its queues
// have no leader for a moment, and the broker refuses clients that come then.
const LOSSES: Record<string, (proxy: Proxy, node: BrokerNode) => unknown> = {
  'can no longer be reached': (proxy) => proxy.block(true),
  'stands still': (proxy) => proxy.stall(true),
  dies: (_proxy, node) => node.kill(),
};

/** One side that notifies and calls commands, and one side that listens and serves. */
type Both = {
  notify: () => void;
  /** The number of the last notification that was sent. */
  last: () => number;
  heard: Set<number>;
  add: (number: number) => Promise<unknown>;
};

describe('a RabbitMQ of three nodes', function () {
  this.timeout(240_000);
  let cluster: BrokerCluster;
  let topology: Topology;
  let tests = 0;
  let brokers: Broker[] = [];

  before(async () => {
    cluster = await startBrokerCluster();
  });

  // New names: if a node dies within a second after a queue was deleted and re-declared, it never finds its copy again.
  beforeEach(() => {
    topology = createTopology(`test-${(tests += 1)}`);
  });

  afterEach(async () => {
    await Promise.all(brokers.splice(0).map((broker) => broker.stop()));
  });

  after(() => cluster?.discard());

  const createBroker = (url = cluster.url): Broker => {
    const broker = new Broker({ url, name: 'test', log });
    brokers.push(broker);
    return broker;
  };
  const start = async (...started: Broker[]): Promise<void> => {
    for (const broker of started) broker.start();
    await eventually(() => started.every((broker) => broker.ready), { limitMs: 30_000 });
  };

  // The node of the connection that declares a queue becomes its leader.
  const declare = async (leader: BrokerNode): Promise<void> => {
    const connection = await connect(leader.url);
    const channel = await connection.createChannel();
    await assertConnectorQueue(channel, topology.connectorQueue(TYPE));
    await assertCommandQueue(channel, topology.commandQueue('settings'));
    await connection.close();
  };
  const startBoth = async (senderUrl: string, receiverUrl: string): Promise<Both> => {
    const heard = new Set<number>();
    const [sender, receiver] = [createBroker(senderUrl), createBroker(receiverUrl)];
    const notify = createWorkNotifier(sender, topology, log);
    const commands = createCommandCaller(sender, { topology, log, keyring, timeoutMs: 5000 });
    const handle = async (ids: number[]): Promise<void> => ids.forEach((id) => heard.add(id));
    consumeWorkNotifications(receiver, { topology, type: TYPE, prefetch: 8, log, handle });
    const handlers = { add: async (body: unknown) => Number(body) + 1 };
    serveCommands(receiver, { topology, worker: 'settings', log, keyring, handlers });
    await start(sender, receiver);
    let sent = 0;
    return {
      notify: () => notify(new Map([[TYPE, [(sent += 1)]]])),
      last: () => sent,
      heard,
      add: (number) => commands.call('settings', { name: 'add', body: number }),
    };
  };
  // Counts from now on: earlier messages may be lost or delivered late.
  const goesOn = async ({ notify, last, heard, add }: Both, limitMs: number): Promise<void> => {
    const before = last();
    const isHeard = (): boolean => {
      notify();
      return [...heard].some((id) => id > before);
    };
    const [result] = await Promise.all([
      eventually(() => add(2), { limitMs, everyMs: 100 }),
      eventually(isHeard, { limitMs, everyMs: 100 }),
    ]);
    expect(result).to.equal(3);
  };

  it('notifications of work survive the death of the node that leads their queue', async () => {
    const [leader, second, third] = cluster.nodes;
    if (!leader || !second || !third) throw new Error('there are three nodes');
    await declare(leader);
    const both = await startBoth(second.url, third.url);
    await goesOn(both, 10_000);
    const killed = leader.kill();
    for (let times = 0; times < 100; times += 1) {
      both.notify();
      await sleep(20);
    }
    await killed;
    await goesOn(both, 30_000);
    await leader.start();
  });

  for (const [how, lose] of Object.entries(LOSSES))
    it(`notifications and commands go on by another node where theirs ${how}`, async () => {
      const proxies = await Promise.all(cluster.nodes.map(({ port }) => startProxy(port)));
      try {
        const [[first], others] = [proxies, proxies.slice(1)];
        const [node] = cluster.nodes;
        if (!first || !node) throw new Error('there are three nodes');
        await declare(node);
        const url = hostsOf(...proxies.map(({ port }) => ({ url: cluster.url, port })));
        // Both sides must begin at the first node.
        for (const proxy of others) proxy.block(true);
        const both = await startBoth(url, url);
        for (const proxy of others) proxy.block(false);
        expect(first.connections()).to.equal(2);
        await goesOn(both, 10_000);
        await lose(first, node);
        const joined = (): number => others.reduce((sum, proxy) => sum + proxy.connections(), 0);
        const hasJoined = (): boolean => {
          both.notify();
          return joined() === 2;
        };
        await eventually(hasJoined, { limitMs: 45_000, everyMs: 10 });
        await goesOn(both, 45_000);
        await Promise.all(brokers.splice(0).map((broker) => broker.stop()));
        await node.start();
      } finally {
        await Promise.all(proxies.map((proxy) => proxy.close()));
      }
    });

  it('commands are carried out whichever node is lost', async () => {
    const both = await startBoth(cluster.url, cluster.url);
    for (const node of cluster.nodes) {
      await node.kill();
      expect(await eventually(() => both.add(2), { limitMs: 60_000 })).to.equal(3);
      await node.start();
    }
  });
});
