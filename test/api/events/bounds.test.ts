import { connect } from 'amqplib';
import { expect } from 'chai';
import { WebSocket } from 'ws';
import { createKvEvent, sealEvents } from '../../../services/api/events/message.ts';
import { LIMITS } from '../../../services/api/limits.ts';
import { startApi } from '../../../services/api/start.ts';
import type { Service } from '../../../libs/service/run-service.ts';
import { ROOT_NAMESPACE } from '../../../libs/store/access/namespaces.ts';
import { findMount } from '../../../libs/store/secrets/mounts.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { follow, FOLLOWER, refusal, tokenFor, untilHeard } from './support.ts';

describe('the bounds of subscriptions', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift();
    await sealift.client.post('/v1/sys/mounts/secret', { type: 'kv-v2' });
  });
  after(() => sealift.stop());

  // As many events at once as no client could cause in that time, as if other replicas had sent them.
  async function flood(count: number): Promise<void> {
    const { context, config } = sealift;
    const mount = await findMount(context.db, ROOT_NAMESPACE.id, 'secret');
    if (!mount) throw new Error('the mount is gone');
    const source = { namespace: ROOT_NAMESPACE, mount, installation: 'x' };
    const path = 'long/'.repeat(200);
    const connection = await connect(config.AMQP_URL);
    const channel = await connection.createConfirmChannel();
    for (let index = 0; index < count; index += 1) {
      const { name, data } = sealEvents(context.keyring, [
        createKvEvent(source, { operation: 'data-write', path: `${path}${index}` }),
      ]);
      channel.publish(`${config.AMQP_PREFIX}.events`, name, Buffer.from(JSON.stringify(data)));
      if (index % 100 === 0) await channel.waitForConfirms();
    }
    await channel.waitForConfirms();
    await connection.close();
  }

  it('a subscriber that does not read is cut off with 1013, and another one misses nothing', async () => {
    const healthy = await follow(sealift, 'kv*');
    await untilHeard(sealift, healthy);
    const slow = await follow(sealift, 'kv*');
    slow.socket.pause();
    const count = 4000;
    const sent = flood(count);
    // By then, more has been sent than the system keeps for a connection.
    await eventually(() => healthy.left() > count / 2);
    slow.socket.resume();
    expect((await slow.ended()).code).to.equal(1013);
    await sent;
    const paths = (await healthy.take(count)).map(({ data }) => data.event.metadata['path']);
    expect(paths[0]).to.match(/\/0$/);
    expect(paths.at(-1)).to.match(new RegExp(`/${count - 1}$`));
    await healthy.close();
  });

  it('a subscriber that sends many messages, or a large one, is ended', async () => {
    const large = await follow(sealift, 'kv*');
    large.socket.send('a'.repeat(5000));
    expect((await large.ended()).code).to.equal(1009);
    const talkative = await follow(sealift, 'kv*');
    for (let index = 0; index < 101; index += 1) talkative.socket.send('hello');
    expect((await talkative.ended()).code).to.equal(1008);
    const quiet = await follow(sealift, 'kv*');
    quiet.socket.send('hello');
    await untilHeard(sealift, quiet);
    await quiet.close();
  });

  it('a subscription beyond the limit of its token gets 429, and beyond that of the process 503', async () => {
    const { subscriptions, subscriptionsOfToken } = LIMITS;
    const before = [subscriptions.value, subscriptionsOfToken.value];
    [subscriptions.value, subscriptionsOfToken.value] = [3, 2];
    const open = [await follow(sealift, 'kv*'), await follow(sealift, 'kv*')];
    try {
      expect(await refusal(sealift, 'kv*')).to.match(
        /^429 .*subscriptions of a token to events: 3 are too many/,
      );
      const token = await tokenFor(sealift, 'another', FOLLOWER);
      open.push(await follow(sealift, 'kv*', { token }));
      expect(await refusal(sealift, 'kv*', { token })).to.match(
        /^503 .*in one process of the API: 4 are too many/,
      );
      const last = open.pop();
      await last?.close();
      await eventually(async () =>
        /^sealift_event_subscriptions\S* 2$/m.test((await sealift.context.metrics.render()).body),
      );
      open.push(await follow(sealift, 'kv*', { token }));
    } finally {
      [subscriptions.value, subscriptionsOfToken.value] = before as [number, number];
      for (const one of open) await one.close();
    }
  });

  it('a process that stops tells its subscribers with 1001, and waits for none that is gone', async () => {
    const other = (await sealift.start('api-2', startApi)) as Service & { port: number };
    const options = { url: `http://127.0.0.1:${other.port}` };
    const follower = await follow(sealift, 'kv*', options);
    const deaf = await follow(sealift, 'kv*', options);
    deaf.socket.pause();
    const began = Date.now();
    await other.stop();
    expect(Date.now() - began).to.be.below(4000);
    expect(await follower.ended()).to.deep.equal({
      code: 1001,
      reason: 'the server is stopping: subscribe again',
    });
    deaf.socket.terminate();
  });

  it('a subscriber that answers no ping is ended within a minute, and one that does stays', async () => {
    const healthy = await follow(sealift, 'kv*');
    const silent = new WebSocket(
      `${sealift.url.replace('http', 'ws')}/v1/sys/events/subscribe/kv*?json=true`,
      {
        headers: { 'x-vault-token': sealift.token },
        autoPong: false,
      },
    );
    const code = await new Promise<number>((resolve) => silent.once('close', resolve));
    expect(code).to.equal(1006);
    expect(healthy.socket.readyState).to.equal(WebSocket.OPEN);
    await healthy.close();
  });
});
