import { connect, type ChannelModel } from 'amqplib';
import { expect } from 'chai';
import { contextReadiness } from '../../libs/service/health.ts';
import { findStaleLedger } from '../../libs/store/maintenance/lost-writes.ts';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { spawnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { openFailoverStage, type FailoverStage } from '../support/failover-stage.ts';
import { setSynchronous } from '../support/postgres-pair.ts';

describe('a failover of the database', () => {
  let stage: FailoverStage;
  let broker: ChannelModel | undefined;

  afterEach(async () => {
    await broker?.close();
    broker = undefined;
    await stage.stop();
  });

  const loseTwo = (): Promise<void> =>
    stage.failOver(async () => {
      await stage.write('two');
      await eventually(() => stage.stored() === 'two');
    });
  const isTaken = async (value: string): Promise<boolean> => (await stage.write(value)).status === 200;
  const decide = async (): Promise<void> => {
    const decision = await spawnProcess('programs/cli/main.js recover lost-writes', stage.environment);
    expect(await decision.ended, decision.output()).to.equal(0);
  };
  const listen = async (): Promise<object[]> => {
    const { topology, config } = stage.context;
    broker = await connect(config.AMQP_URL);
    const channel = await broker.createChannel();
    const { queue } = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(queue, topology.events, 'database.writes-lost');
    const events: object[] = [];
    await channel.consume(queue, (message) => {
      if (message) events.push(JSON.parse(message.content.toString()) as object);
    });
    return events;
  };
  const jobsRun = async (): Promise<string[]> => {
    const rows: { name: string }[] = await stage.context.db('jobs').orderBy('name').select('name');
    return rows.map(({ name }) => name);
  };

  it('a failover that lost changes changes nothing until an operator has decided', async () => {
    stage = await openFailoverStage();
    await loseTwo();
    const isReady = contextReadiness(stage.context, { needsBroker: false });
    await eventually(async () =>
      expect(await isReady()).to.deep.equal([
        'a failover or a restore of the database lost acknowledged changes: decide with sealift recover lost-writes',
      ]),
    );
    expect(await stage.read()).to.equal('one');
    const refused = await stage.write('three');
    expect(refused.status).to.equal(503);
    expect(refused.text).to.contain('sealift recover lost-writes');
    const metrics = await stage.context.metrics.render();
    expect(metrics.body).to.match(/sealift_database_lost_writes\{.*\} 1/);
    expect(await stage.recover()).to.equal(0);
    expect(stage.stored()).to.equal('two');

    await decide();
    expect(await stage.recover()).to.equal(1);
    await eventually(() => stage.stored() === 'one');
    await eventually(async () => expect(await isReady()).to.deep.equal([]));
    expect((await stage.write('four')).status).to.equal(200);
    await eventually(() => stage.stored() === 'four');
  });

  it('a failover that lost changes stops nothing where ON_LOST_WRITES says continue', async () => {
    stage = await openFailoverStage({ ON_LOST_WRITES: 'continue' });
    await stage.start(startKeyMaintenance);
    const events = await listen();
    await loseTwo();
    await eventually(() => expect(events).to.have.length(1));
    expect(events[0]).to.include({ event: 'database.writes-lost', action: 'continue' });
    expect(stage.context.loss.isRefusing()).to.equal(false);
    // The key maintenance, which runs too, may have done it before.
    await stage.recover();
    await eventually(() => stage.stored() === 'one');
    expect(await isTaken('three')).to.equal(true);
    await eventually(() => stage.stored() === 'three');
  });

  it('a loss that waits for a decision holds back every job but the one that notifies people', async () => {
    stage = await openFailoverStage();
    const { service } = await stage.start(startKeyMaintenance);
    const events = await listen();
    await eventually(async () => expect(await jobsRun()).to.include('recover-ledger'));
    await loseTwo();
    await eventually(() => expect(events).to.have.length(1));
    expect(events[0]).to.include({ event: 'database.writes-lost', action: 'stop' });
    await service.stop();
    await stage.context.db('jobs').delete();
    // At its start it runs all due jobs, in the order of the schedule.
    await stage.start(startKeyMaintenance);
    await eventually(async () => expect(await jobsRun()).to.deep.equal(['notify']));
    await decide();
    await stage.start(startKeyMaintenance);
    await eventually(async () => expect(await jobsRun()).to.include.members(ALL_DUE));
  });

  it('a failover to a synchronous standby loses nothing, and leaves the ledger as it is', async () => {
    stage = await openFailoverStage();
    await setSynchronous(stage.pair.primary, true);
    await stage.countOn(2);
    expect(await isTaken('two')).to.equal(true);
    await stage.failOver();
    await eventually(() => isTaken('three'));
    await eventually(() => stage.stored() === 'three');
    expect(await findStaleLedger(stage.context.db)).to.equal(null);
    expect(stage.context.loss.isRefusing()).to.equal(false);
  });

  it('a failover to an asynchronous standby has everything pushed again', async () => {
    stage = await openFailoverStage();
    await stage.countOn(1);
    await stage.failOver();
    await eventually(() => isTaken('three'));
    expect(await findStaleLedger(stage.context.db)).to.be.a('string');
    expect(await stage.recover()).to.equal(1);
    expect(await findStaleLedger(stage.context.db)).to.equal(null);
  });
});

const ALL_DUE = ['notify', 'expire-tokens', 'finish-deletions', 'recover-ledger'];
