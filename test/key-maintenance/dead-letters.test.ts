import { connect, type Channel, type ChannelModel } from 'amqplib';
import { expect } from 'chai';
import type { MaintenanceServices } from '../../services/key-maintenance/job.ts';
import { eventually } from '../support/eventually.ts';
import { infrastructure } from '../support/infrastructure.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { runNow, startMaintenance } from './support.ts';

describe('dead letters', () => {
  let sealift: Sealift;
  let services: MaintenanceServices;
  let connection: ChannelModel;
  let channel: Channel;
  let origin: string;
  before(async () => {
    sealift = await startSealift();
    services = await startMaintenance(sealift);
    connection = await connect(infrastructure().amqpUrl);
    channel = await connection.createChannel();
    origin = `${services.topology.deadLetters}.origin`;
    await channel.assertQueue(origin, { durable: true });
  });
  after(async () => {
    await channel.deleteQueue(origin);
    await connection.close();
    await sealift.stop();
  });

  const deadLetter = async (text: string, queue: string) => {
    const headers = {
      'x-sealift-queue': queue,
      'x-sealift-reason': 'unreadable',
      'x-sealift-at': '2030-01-01',
    };
    channel.sendToQueue(services.topology.deadLetters, Buffer.from(text), { persistent: true, headers });
  };
  const countIn = async (queue: string) => (await channel.checkQueue(queue)).messageCount;

  it('dead letters are listed with where they came from, and stay', async () => {
    await deadLetter('one', origin);
    await deadLetter('two', 'no-such-queue');
    await eventually(async () => (await countIn(services.topology.deadLetters)) === 2);
    for (let round = 0; round < 3; round += 1) {
      const found: Record<string, unknown>[] = [];
      expect(await runNow(services, 'dead-letters', { found })).to.deep.equal({
        kept: 2,
        replayed: 0,
        discarded: 0,
      });
      expect(found).to.deep.equal([
        { queue: origin, reason: 'unreadable', at: '2030-01-01', bytes: 3, beginning: 'one' },
        { queue: 'no-such-queue', reason: 'unreadable', at: '2030-01-01', bytes: 3, beginning: 'two' },
      ]);
    }
  });

  it('a replay puts them back where they came from, and keeps what came from nowhere', async () => {
    expect(await runNow(services, 'dead-letters', { replay: true })).to.deep.equal({
      kept: 1,
      replayed: 1,
      discarded: 0,
    });
    await eventually(async () => (await countIn(origin)) === 1);
    const message = await channel.get(origin, { noAck: true });
    expect(message && message.content.toString()).to.equal('one');
    const found: Record<string, unknown>[] = [];
    expect(await runNow(services, 'dead-letters', { found })).to.deep.equal({
      kept: 1,
      replayed: 0,
      discarded: 0,
    });
    expect(found[0]).to.include({ queue: 'no-such-queue', beginning: 'two' });
    const entries = await services.db('audit_events').where({ action: 'job dead-letters' });
    expect(entries).to.have.length(1);
    expect(entries[0].detail).to.deep.equal({ kept: 1, replayed: 1, discarded: 0 });
  });

  it('discarded letters are gone for good, and the audit trail says how many', async () => {
    const found: Record<string, unknown>[] = [];
    const done = await runNow(services, 'dead-letters', { discard: true, found });
    expect(done).to.deep.equal({ kept: 0, replayed: 0, discarded: 1 });
    expect(found[0]).to.include({ queue: 'no-such-queue', beginning: 'two' });
    await eventually(async () => (await countIn(services.topology.deadLetters)) === 0);
    const [entry] = await services
      .db('audit_events')
      .where({ action: 'job dead-letters' })
      .orderBy('id', 'desc');
    expect(entry.detail).to.deep.equal(done);
  });
});
