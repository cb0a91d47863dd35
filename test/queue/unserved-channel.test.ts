import { randomBytes } from 'node:crypto';
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
import { startUnservedChannels, type UnservedChannels } from '../support/unserved-channels.ts';

const TYPE = 'cloud1-sm';
const log = createLog({ service: 'test', level: 'silent' });
const keyring = createKeyring(randomBytes(32));

describe('channels that the broker no longer serves', () => {
  const prefix = `test-${randomBytes(6).toString('hex')}`;
  const topology = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: '' });
  let proxy: UnservedChannels;
  let near: Broker;
  let far: Broker;

  before(async () => {
    const { amqpUrl } = infrastructure();
    const url = new URL(amqpUrl);
    proxy = await startUnservedChannels(Number(url.port || 5672));
    url.hostname = '127.0.0.1';
    url.port = String(proxy.port);
    near = new Broker({ url: amqpUrl, name: 'test', log });
    far = new Broker({ url: url.href, name: 'test', log, confirmLimitMs: 500 });
  });

  after(async () => {
    await Promise.all([near, far].map((broker) => broker.stop()));
    await proxy.close();
    await deleteQueues(infrastructure().amqpUrl, prefix);
  });

  it('a channel on which nothing is confirmed is left for a new one', async () => {
    const heard = new Set<number>();
    const handle = async (ids: number[]): Promise<void> => ids.forEach((id) => heard.add(id));
    consumeWorkNotifications(near, { topology, type: TYPE, prefetch: 8, log, handle });
    const handlers = { ask: async () => 'answer' };
    serveCommands(near, { topology, worker: 'settings', log, keyring, databaseId: 'one', handlers });
    const tell = createWorkNotifier(far, topology, log);
    const commands = createCommandCaller(far, { topology, log, keyring, databaseId: 'one', timeoutMs: 5000 });
    const notify = (id: number): void => tell(new Map([[TYPE, [id]]]));
    const ask = (): Promise<unknown> => commands.call('settings', { name: 'ask', body: {} });
    for (const broker of [near, far]) broker.start();
    await eventually(() => near.ready && far.ready);
    notify(1);
    expect(await ask()).to.equal('answer');
    await eventually(() => heard.has(1));

    proxy.begin();
    notify(2);
    const refusal = await ask().catch((error: unknown) => error);
    expect(refusal).to.have.property('status', 503);
    const isHeard = (): boolean => {
      notify(3);
      return heard.has(3);
    };
    await eventually(isHeard);
    expect(await eventually(ask)).to.equal('answer');
    expect(heard.has(2)).to.equal(false);
  });
});
