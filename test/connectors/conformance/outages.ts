import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { Stage } from './stage.ts';

/** Stores that throttle, fail, hang, lie or refuse. */
export function describeOutages(stage: Stage): void {
  const { subject } = stage;

  it('a throttling store is obeyed: THROTTLED with its time, then SYNCED', async () => {
    const name = await stage.synced('calm');
    stage.fake.addFault({
      kind: 'throttle',
      operation: subject.writes,
      times: 1,
      retryAfterSeconds: 1,
      ...subject.throttle,
    });
    stage.fake.clearCalls();
    await stage.driver.write(stage.secretName(), { value: 'waited' });
    const [record] = await stage.driver.settles(stage.secretName(), 'THROTTLED');
    expect(Date.parse(record?.next_attempt_at ?? '')).to.be.greaterThan(Date.now() - 1000);
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(stage.value(name)).to.equal(stage.outside('waited'));
    const [refused, accepted] = stage.fake.calls().filter((call) => subject.writes.includes(call.operation));
    expect((accepted?.at ?? 0) - (refused?.at ?? 0)).to.be.at.least(950);
  });

  it('an outage is told as EXTERNAL_SERVICE_ERROR with the next attempt, and ends by itself', async () => {
    const name = await stage.synced('up');
    stage.fake.addFault({ kind: 'error', operation: subject.writes });
    await stage.driver.write(stage.secretName(), { value: 'after the outage' });
    await eventually(async () => {
      const [record] = await stage.driver.records(stage.secretName());
      expect(record?.cause?.class).to.equal('EXTERNAL_SERVICE_ERROR');
      expect(record?.sync_status).to.equal('EXTERNAL_SERVICE_ERROR');
      expect(record?.next_attempt_at).to.be.a('string');
      return true;
    });
    stage.fake.clearFaults();
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(stage.value(name)).to.equal(stage.outside('after the outage'));
  });

  it('a hanging store is given up in time and tried again', async () => {
    const name = await stage.synced('quick');
    stage.fake.addFault({ kind: 'hang', operation: subject.writes, times: 1 });
    await stage.driver.write(stage.secretName(), { value: 'after the hang' });
    await eventually(() => stage.value(name) === stage.outside('after the hang'));
    await stage.driver.settles(stage.secretName(), 'SYNCED');
  });

  it('revoked credentials are tried again slowly, and at once when they change', async () => {
    const name = await stage.synced('trusted');
    stage.fake.addFault({ kind: 'revoked' });
    await stage.driver.write(stage.secretName(), { value: 'with new credentials' });
    const [record] = await stage.driver.settles(stage.secretName(), 'CLIENT_SIDE_ERROR');
    const nextAttempt = Date.parse(record?.next_attempt_at ?? '');
    expect(nextAttempt).to.be.greaterThan(Date.now() + 30_000);
    stage.fake.clearFaults();
    await stage.driver.patch(subject.newCredentials);
    await eventually(() => stage.value(name) === stage.outside('with new credentials'));
    await stage.driver.settles(stage.secretName(), 'SYNCED');
  });

  it('a connection that is cut after the change was applied leads to the right value', async () => {
    const name = await stage.synced('whole');
    stage.fake.addFault({ kind: 'cut-after', operation: subject.writes, times: 1 });
    await stage.driver.write(stage.secretName(), { value: 'cut' });
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(stage.value(name)).to.equal(stage.outside('cut'));
  });

  it('a first write that is cut off is finished, never reported before, and stays ours', async () => {
    await stage.driver.write(stage.secretName(), { value: 'first try' });
    stage.fake.addFault({ kind: 'cut-after', operation: subject.writes, times: 1 });
    await stage.driver.associate(stage.secretName());
    const [record] = await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(stage.value(record?.external_name ?? '')).to.equal(stage.outside('first try'));
    await stage.driver.dissociate(stage.secretName());
    await eventually(() => stage.value(record?.external_name ?? '') === undefined);
  });

  it('an entry that a stale read denies is deleted once it is seen', async () => {
    const name = await stage.synced('deleted-early');
    stage.fake.addFault({ kind: 'stale-read', times: 1 });
    await stage.driver.dissociate(stage.secretName());
    await eventually(() => stage.value(name) === undefined);
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
  });

  it('a new entry is finished though a stale read denies it at first', async () => {
    const name = await stage.plannedName();
    // The store creates the entry, but the answer is lost.
    stage.fake.addFault({ kind: 'cut-after', operation: subject.writes });
    const associated = stage.driver.associate(stage.secretName());
    await eventually(() => stage.fake.entries().length > 0, { everyMs: 1 });
    stage.fake.addFault({ kind: 'cut' });
    await associated;
    // With another value, the next try is no repeat of the same create, so it must look at what exists.
    await stage.driver.write(stage.secretName(), { value: 'newer' });
    stage.fake.clearFaults();
    stage.fake.clearCalls();
    stage.fake.addFault({ kind: 'stale-read', times: 2 });
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    const looks = stage.fake.calls().filter(({ operation }) => !subject.writes.includes(operation));
    expect(looks).to.not.deep.equal([]);
    expect(stage.value(name)).to.equal(stage.outside('newer'));
    expect(stage.fake.entries()).to.have.length(1);
  });

  it('`check` says ok with good credentials, and what is wrong with revoked ones', async () => {
    const good = await stage.sealift.client.post(`${stage.driver.path}/check`);
    expect(good.status, good.text).to.equal(200);
    expect(good.body.data.ok).to.equal(true);
    stage.fake.addFault({ kind: 'revoked' });
    const bad = await stage.sealift.client.post(`${stage.driver.path}/check`);
    expect(bad.body.data.ok).to.equal(false);
    expect(bad.body.data.cause.class).to.equal('CLIENT_SIDE_ERROR');
  });
}
