import { expect } from 'chai';
import type { Service } from '../../../libs/service/run-service.ts';
import { startApi } from '../../../services/api/start.ts';
import { startAlarmedBroker, type AlarmedBroker } from '../../support/alarm.ts';
import { createClient } from '../../support/client.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { follow, untilHeard, type Follower } from './support.ts';

describe('events of two API processes', () => {
  let broker: AlarmedBroker;
  let sealift: Sealift;
  let url: string;
  let here: Follower;
  let there: Follower;

  before(async () => {
    broker = await startAlarmedBroker();
    sealift = await startSealift({ environment: { AMQP_URL: broker.url } });
    const { port } = (await sealift.start('api-2', startApi)) as Service & { port: number };
    url = `http://127.0.0.1:${port}`;
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
    here = await follow(sealift, 'kv*');
    there = await follow(sealift, 'kv*', { url });
    await untilHeard(sealift, here, there);
  });
  after(async () => {
    for (const follower of [here, there]) follower.socket.terminate();
    await sealift.stop();
    await broker.stop();
  });

  const write = async (path: string, address = sealift.url): Promise<number> => {
    const began = performance.now();
    const answer = await createClient(address, sealift.token).post(`/v1/secret/data/${path}`, {
      data: { a: 'b' },
    });
    expect(answer.status).to.equal(200);
    return performance.now() - began;
  };
  const paths = async (follower: Follower, count: number) =>
    (await follower.take(count)).map(({ data }) => data.event.metadata['path']);

  it('a subscriber hears of the changes of every process, each once and in order', async () => {
    for (const [path, address] of [
      ['one', sealift.url],
      ['two', url],
      ['three', url],
    ] as const)
      await write(path, address);
    for (const follower of [here, there])
      expect(await paths(follower, 3)).to.have.members([
        'secret/data/one',
        'secret/data/three',
        'secret/data/two',
      ]);
    expect([here.left(), there.left()]).to.deep.equal([0, 0]);
  });

  it('a process that stops tells of the changes that it has answered', async () => {
    const third = (await sealift.start('api-3', startApi)) as Service & { port: number };
    const address = `http://127.0.0.1:${third.port}`;
    await Promise.all(Array.from({ length: 50 }, (_, index) => write(`last/${index}`, address)));
    await third.stop();
    await here.take(50);
    await there.take(50);
  });

  it('writes and subscriptions work without the broker, and events come again with it', async () => {
    await broker.control('stop_app');
    await eventually(() => !sealift.context.broker.ready);
    expect(await write('unheard')).to.be.below(2000);
    const late = await follow(sealift, 'kv*');
    await broker.control('start_app');
    await untilHeard(sealift, here, there, late);
    for (const follower of [here, there, late])
      expect(follower.socket.readyState).to.equal(follower.socket.OPEN);
    await write('again', url);
    for (const follower of [here, there, late])
      expect(await paths(follower, 1)).to.deep.equal(['secret/data/again']);
    await late.close();
  });
});
