import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { createLog } from '../../libs/log/log.ts';
import { Broker } from '../../libs/queue/broker.ts';
import { createTopology } from '../../libs/queue/topology.ts';
import {
  consumeWorkNotifications,
  createWorkNotifier,
  type NotifyWork,
} from '../../libs/queue/work-notifications.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { deleteQueues } from '../support/queues.ts';

const TYPE = 'cloud1-sm';
const OTHER_TYPE = 'cloud2-kv';
const log = createLog({ service: 'test', level: 'silent' });

describe('work notifications', () => {
  let prefix: string;
  let broker: Broker;
  let notifyWork: NotifyWork;
  let heard: { type: string; ids: number[] }[];

  beforeEach(async () => {
    prefix = `test-${randomBytes(6).toString('hex')}`;
    const topology = createTopology({ AMQP_PREFIX: prefix, AMQP_URL: '' });
    broker = new Broker({ url: infrastructure().amqpUrl, name: 'test', log });
    notifyWork = createWorkNotifier(broker, topology, log);
    heard = [];
    for (const type of [TYPE, OTHER_TYPE]) {
      const handle = async (ids: number[]) => void heard.push({ type, ids });
      consumeWorkNotifications(broker, { topology, type, prefetch: 8, log, handle });
    }
    broker.start();
    await eventually(() => broker.ready);
  });

  afterEach(async () => {
    await broker.stop();
    await deleteQueues(infrastructure().amqpUrl, prefix);
  });

  const notify = (id: number, type = TYPE) => notifyWork(new Map([[type, [id]]]));
  const idsOf = (type: string) => heard.filter((call) => call.type === type).flatMap(({ ids }) => ids);

  it('notifications of one moment go out in two messages that name every destination once', async () => {
    for (const id of [1, 2, 3, 2, 3]) notify(id);
    await eventually(() => idsOf(TYPE).length >= 3);
    expect(heard.map(({ ids }) => ids)).to.deep.equal([[1], [2, 3]]);
  });

  it('a destination with new work since the message before is named again', async () => {
    notify(1);
    notify(1);
    await eventually(() => heard.length === 2);
    expect(idsOf(TYPE)).to.deep.equal([1, 1]);
  });

  it('notifications of work of one type do not wait for those of another', async () => {
    notify(1);
    notify(2);
    notify(3, OTHER_TYPE);
    await eventually(() => idsOf(TYPE).length === 2);
    expect(idsOf(OTHER_TYPE)).to.deep.equal([3]);
  });

  it('notifications of work in a long burst all arrive', async () => {
    const ids = Array.from({ length: 300 }, (_, index) => index + 1);
    for (const id of ids) {
      notify(id);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await eventually(() => idsOf(TYPE).length >= ids.length);
    expect(idsOf(TYPE)).to.have.members(ids);
  });
});
