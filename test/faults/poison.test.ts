import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';
import { expect } from 'chai';
import { createTopology } from '../../libs/queue/topology.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createPoison, type Poison } from './poison.ts';
import { createRandom } from './random.ts';

describe('the account of poison messages', () => {
  let fake: Fake;
  let sealift: Sealift;
  let connection: ChannelModel;
  let channel: ConfirmChannel;
  let poison: Poison;
  let queue: string;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift();
    connection = await connect(sealift.config.AMQP_URL);
    channel = await connection.createConfirmChannel();
    const topology = createTopology(sealift.config);
    queue = topology.connectorQueue('cloud1-sm');
    poison = createPoison(topology.deadLetters);
  });
  after(async () => {
    await connection.close();
    await sealift.stop();
    await fake.close();
  });

  const send = (queues: string[], count: number) => poison.send(channel, queues, createRandom(1), count);

  it('messages count as missing when they are neither dead-lettered nor lost with their queue', async () => {
    const worker = await sealift.start('worker', cloud1Worker(fake));
    // The worker declares its queue after it has connected.
    await eventually(async () => {
      await send([queue], 1);
      return poison.counts().sent > 0;
    });
    await send([queue, 'no-such-queue'], 12);
    const { sent } = poison.counts();
    expect(sent).to.be.within(2, 12);
    expect(await poison.findMissing(channel, 5000)).to.deep.equal([]);
    expect(poison.counts()).to.deep.equal({ sent, deadLettered: sent, lost: 0 });

    await worker.stop();
    await send([queue], 3);
    expect(await poison.findMissing(channel, 0)).to.have.length(3);
    await channel.purgeQueue(queue);
    expect(await poison.findMissing(channel, 0)).to.have.length(3);
    await poison.whileLosing(channel, async () => void (await channel.purgeQueue(queue)));
    expect(await poison.findMissing(channel, 0)).to.deep.equal([]);
    expect(poison.counts()).to.deep.equal({ sent: sent + 3, deadLettered: sent, lost: 3 });
  });
});
