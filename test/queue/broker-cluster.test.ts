import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'amqplib';
import { expect } from 'chai';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import { createCommandCaller, serveCommands } from '../../libs/queue/commands.ts';
import { assertConnectorQueue, createTopology } from '../../libs/queue/topology.ts';
import { consumeWorkNotifications, createWorkNotifier } from '../../libs/queue/work-notifications.ts';
import { startBrokerCluster, type BrokerCluster } from '../support/broker-cluster.ts';
import { eventually } from '../support/eventually.ts';

const TYPE = 'cloud1-sm';
const log = createLog({ service: 'test', level: 'silent' });
const keyring = createKeyring(randomBytes(32));

describe('a RabbitMQ of three nodes', function () {
  this.timeout(180_000);
  const topology = createTopology('test');
  let cluster: BrokerCluster;
  let brokers: Broker[] = [];

  before(async () => {
    cluster = await startBrokerCluster();
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

  it('notifications of work survive the death of the node that leads their queue', async () => {
    const [leader, second, third] = cluster.nodes;
    // Whoever declares a queue makes the node of the connection its leader.
    const connection = await connect(leader?.url ?? '');
    await assertConnectorQueue(await connection.createChannel(), topology.connectorQueue(TYPE));
    await connection.close();
    const heard = new Set<number>();
    const sender = createBroker(second?.url);
    const receiver = createBroker(third?.url);
    const notify = createWorkNotifier(sender, topology, log);
    const handle = async (ids: number[]): Promise<void> => ids.forEach((id) => heard.add(id));
    consumeWorkNotifications(receiver, { topology, type: TYPE, prefetch: 8, log, handle });
    await start(sender, receiver);
    let sent = 0;
    const send = (): void => notify(new Map([[TYPE, [(sent += 1)]]]));
    send();
    await eventually(() => heard.has(1));
    const killed = leader?.kill();
    for (let times = 0; times < 100; times += 1) {
      send();
      await sleep(20);
    }
    await killed;
    const last = sent;
    await eventually(
      () => {
        send();
        return [...heard].some((id) => id > last);
      },
      { limitMs: 30_000, everyMs: 100 },
    );
    await leader?.start();
  });

  it('commands are carried out whichever node is lost', async () => {
    const caller = createBroker();
    const worker = createBroker();
    const commands = createCommandCaller(caller, { topology, log, keyring, timeoutMs: 5000 });
    const handlers = { add: async (body: unknown) => Number(body) + 1 };
    const server = serveCommands(worker, { topology, worker: 'settings', log, keyring, handlers });
    await start(caller, worker);
    const add = (number: number) => commands.call('settings', { name: 'add', body: number });
    expect(await add(1)).to.equal(2);
    for (const node of cluster.nodes) {
      await node.kill();
      expect(await eventually(() => add(2), { limitMs: 60_000 })).to.equal(3);
      await node.start();
    }
    await server.stop();
  });
});
