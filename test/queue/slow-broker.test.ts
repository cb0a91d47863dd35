import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createKeyring } from '../../libs/crypto/keyring.ts';
import { RequestError } from '../../libs/errors/request-error.ts';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import { createCommandCaller, serveCommands, type CommandCaller } from '../../libs/queue/commands.ts';
import { createTopology } from '../../libs/queue/topology.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { startProxy, type Proxy } from '../support/proxy.ts';
import { deleteQueues } from '../support/queues.ts';

const log = createLog({ service: 'test', level: 'silent' });
const keyring = createKeyring(randomBytes(32));

describe('commands through a broker that is slow to answer', () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const topology = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: '' });
  let proxy: Proxy;
  let far: string;
  let brokers: Broker[];
  let commands: CommandCaller;
  let runs: number;

  beforeEach(async () => {
    const { amqpUrl } = infrastructure();
    const url = new URL(amqpUrl);
    proxy = await startProxy(Number(url.port || 5672));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    far = url.href;
    brokers = [];
    runs = 0;
    const near = createBroker(amqpUrl);
    const handlers = { count: async () => (runs += 1) };
    serveCommands(near, { topology, worker: 'settings', log, keyring, databaseId: 'one', handlers });
    near.start();
    commands = await startCaller(far);
    await eventually(() => near.ready);
  });

  const createBroker = (address: string): Broker => {
    const broker = new Broker({ url: address, name: 'test', log });
    brokers.push(broker);
    return broker;
  };
  const startCaller = async (address: string): Promise<CommandCaller> => {
    const broker = createBroker(address);
    const caller = createCommandCaller(broker, {
      topology,
      log,
      keyring,
      databaseId: 'one',
      timeoutMs: 5000,
    });
    broker.start();
    await eventually(() => broker.ready);
    return caller;
  };

  afterEach(async () => {
    proxy.delay(0);
    await Promise.all(brokers.map((broker) => broker.stop()));
    await proxy.close();
    await deleteQueues(infrastructure().amqpUrl, prefix);
  });

  const call = () => commands.call('settings', { name: 'count', body: {} });
  const refusal = async (): Promise<string> => {
    const error = await call().catch((thrown: unknown) => thrown);
    if (!(error instanceof RequestError)) throw new Error('the command should have failed');
    return error.problems.map(({ detail }) => detail).join();
  };

  it('commands are not sent any more once the caller was told that nothing was done', async () => {
    // Both directions together take longer than a caller waits, so its queue is not declared in time.
    proxy.delay(3000);
    expect(await refusal()).to.match(/nothing was done$/);
    proxy.delay(0);
    expect(await call()).to.equal(1);
  });

  it('commands are not said to be undone where the broker may have them still', async () => {
    await call();
    proxy.delay(5000);
    expect(await refusal()).to.match(/may have been made/);
    await eventually(() => runs === 2);
  });

  it('commands go another way once a broker that vanished without a word is missed', async () => {
    // Takes two or three heartbeats. The operator chose a short one; the default would take half a minute here.
    commands = await startCaller(`${far}?heartbeat=2`);
    expect(await call()).to.equal(1);
    proxy.vanish();
    await eventually(async () => (await call()) !== undefined);
  });
});
