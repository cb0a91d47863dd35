import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { Stage } from './stage.ts';

/** The life of a value, from the first write to the last. */
export function describeValues(stage: Stage): void {
  const { subject } = stage;

  it('a newly associated secret is in the store when its record says SYNCED', async () => {
    await stage.driver.write(stage.secretName(), { value: 'first' });
    await stage.driver.associate(stage.secretName());
    const [record] = await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(stage.value(record?.external_name ?? '')).to.equal(stage.outside('first'));
  });

  it('an update of a known entry is one write, and one look at its owner at most', async () => {
    const name = await stage.synced('one');
    stage.fake.clearCalls();
    await stage.driver.write(stage.secretName(), { value: 'two' });
    await eventually(() => stage.value(name) === stage.outside('two'));
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    const { looks } = subject;
    const calls = stage.fake.calls().map((call) => call.operation);
    expect(calls.filter((operation) => subject.writes.includes(operation))).to.have.length(1);
    expect(calls.filter((operation) => !subject.writes.includes(operation))).to.deep.equal(looks);
  });

  if (subject.looks.length > 0 && subject.destination.batchSize === undefined)
    it('an update within owner_check_seconds does not ask again whose the entry is', async () => {
      await stage.configure({ owner_check_seconds: 3600 });
      const name = await stage.synced('one');
      stage.fake.clearCalls();
      await stage.driver.write(stage.secretName(), { value: 'two' });
      await eventually(() => stage.value(name) === stage.outside('two'));
      await stage.driver.settles(stage.secretName(), 'SYNCED');
      expect(stage.fake.calls()[0]?.operation).to.be.oneOf(subject.writes);
    });

  it('a value that is written once more as it is costs no vendor call', async () => {
    await stage.synced('same');
    stage.fake.clearCalls();
    const version = await stage.driver.write(stage.secretName(), { value: 'same' });
    await eventually(
      async () => (await stage.driver.records(stage.secretName()))[0]?.synced_version === version,
    );
    expect(stage.fake.calls()).to.deep.equal([]);
  });

  // Somebody else's value, under the marks of ours.
  const plantValue = (name: string): void => {
    const entry = stage.fake.entries().find((one) => one.name === name);
    stage.fake.plant({ ...subject.foreign(name, stage.outside('of somebody else')), ...tagsOf(entry) });
  };
  const askAgain = {
    retry: () => stage.sealift.client.post(`${stage.driver.path}/associations/retry`, {}),
    sync: () => stage.driver.associate(stage.secretName()),
  };
  for (const [way, again] of Object.entries(askAgain))
    it(`a ${way} writes again what is gone or was changed outside, and nothing else`, async () => {
      const name = await stage.synced('kept');
      stage.fake.clearCalls();
      await again();
      await eventually(() => stage.fake.calls().length > 0);
      await stage.driver.settles(stage.secretName(), 'SYNCED');
      expect(stage.writesSoFar()).to.equal(0);

      // Only stores that give values back can tell this at once.
      if (subject.destination.tags) {
        plantValue(name);
        await again();
        await eventually(() => stage.value(name) === stage.outside('kept'));
        await stage.driver.settles(stage.secretName(), 'SYNCED');
      }

      stage.fake.reset();
      await again();
      await eventually(() => stage.value(name) === stage.outside('kept'));
      await stage.driver.settles(stage.secretName(), 'SYNCED');
    });

  it('the plan of a sync tells what the store has by now, and the status remembers it', async () => {
    const name = await stage.synced('kept');
    const plan = async (): Promise<string[]> => {
      const body = { secrets: [{ mount: 'secret', secret_name: stage.secretName() }], look: true };
      const { data } = (await stage.sealift.client.post(`${stage.driver.path}/plan`, body)).body;
      const actions = data.secrets[0].planned.map((step: { action: string }) => step.action);
      return [...actions, `${data.look.unknown} unknown`];
    };
    expect(await plan()).to.deep.equal(['unchanged', '0 unknown']);
    stage.fake.addFault({ kind: 'error', status: 503 });
    expect(await plan()).to.deep.equal(['unknown', '1 unknown']);
    stage.fake.clearFaults();
    if (subject.destination.tags) {
      plantValue(name);
      expect(await plan()).to.deep.equal(['overwrite', '0 unknown']);
      await stage.driver.settles(stage.secretName(), 'DRIFTED');
    }
    stage.fake.reset();
    expect((await plan())[0]).to.equal('create');
    await stage.driver.settles(stage.secretName(), 'DRIFTED');
  });

  it('a retry does not say SYNCED while the store cannot be asked', async () => {
    const name = await stage.synced('kept');
    stage.fake.reset();
    stage.fake.addFault({ kind: 'error', status: 503 });
    await stage.sealift.client.post(`${stage.driver.path}/associations/retry`, {});
    await stage.driver.settles(stage.secretName(), 'EXTERNAL_SERVICE_ERROR');
    stage.fake.clearFaults();
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(stage.value(name)).to.equal(stage.outside('kept'));
  });

  it('a changed template writes the new name first and then deletes the old one', async () => {
    const old = await stage.synced('kept');
    stage.fake.clearCalls();
    const answer = await stage.driver.patch({ secret_name_template: `new-${stage.template}` });
    expect(answer.status, answer.text).to.equal(200);
    await eventually(() => stage.value(old) === undefined);
    const [record] = await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(record?.external_name).to.not.equal(old);
    expect(stage.value(record?.external_name ?? '')).to.equal(stage.outside('kept'));
    const order = stage.fake.calls().map((call) => call.operation);
    const firstRemove = order.findIndex((operation) => subject.removes.includes(operation));
    const lastWrite = order.findLastIndex((operation) => subject.writes.includes(operation));
    expect(lastWrite).to.be.lessThan(firstRemove);
  });

  it('a deletion of the newest version falls back to the highest live one', async () => {
    const name = await stage.synced('v1');
    await stage.driver.write(stage.secretName(), { value: 'v2' });
    await eventually(() => stage.value(name) === stage.outside('v2'));
    await stage.sealift.client.delete(`/v1/secret/data/${stage.secretName()}`);
    await eventually(() => stage.value(name) === stage.outside('v1'));
    await stage.sealift.client.post(`/v1/secret/delete/${stage.secretName()}`, { versions: [1] });
    await eventually(() => stage.value(name) === undefined);
    await stage.driver.settles(stage.secretName(), 'UNSYNCED');
    await stage.driver.write(stage.secretName(), { value: 'v3' });
    await eventually(() => stage.value(name) === stage.outside('v3'));
    await stage.driver.settles(stage.secretName(), 'SYNCED');
  });

  it('a removed association deletes its entry, also one that is gone already', async () => {
    const name = await stage.synced('short-lived');
    expect((await stage.driver.dissociate(stage.secretName())).status).to.equal(200);
    await eventually(() => stage.value(name) === undefined);
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);

    const again = await stage.synced('short-lived');
    stage.fake.reset();
    await stage.driver.dissociate(stage.secretName());
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(stage.value(again)).to.equal(undefined);
  });

  it('an entry that somebody deleted outside is made again by the next change', async () => {
    const name = await stage.synced('before');
    stage.fake.reset();
    await stage.driver.write(stage.secretName(), { value: 'after' });
    await eventually(() => stage.value(name) === stage.outside('after'));
    await stage.driver.settles(stage.secretName(), 'SYNCED');
  });

  it('a newer value wins over an older push still in flight', async () => {
    const name = await stage.synced('v1');
    stage.fake.addFault({ kind: 'slow', delayMs: 500, operation: subject.writes, times: 1 });
    const before = stage.writesSoFar();
    await stage.driver.write(stage.secretName(), { value: 'v2' });
    await eventually(() => stage.writesSoFar() > before);
    const version = await stage.driver.write(stage.secretName(), { value: 'v3' });
    await eventually(async () => {
      const [record] = await stage.driver.records(stage.secretName());
      return record?.sync_status === 'SYNCED' && record.synced_version === version;
    });
    expect(stage.value(name)).to.equal(stage.outside('v3'));
  });

  it('a hundred secrets at once end up in the store exactly as in the source', async () => {
    const most = Math.min(100, subject.destination.limits.entries ?? 100);
    const names = Array.from({ length: most }, (_, index) => `${stage.secretName()}x${index}`);
    await Promise.all(names.map((name) => stage.driver.write(name, { value: `value of ${name}` })));
    const answers = await Promise.all(names.map((name) => stage.driver.associate(name)));
    expect(answers.map((answer) => answer.status)).to.deep.equal(names.map(() => 200));
    await Promise.all(names.map((name) => stage.driver.write(name, { value: `newer value of ${name}` })));
    const records = await eventually(
      async () => {
        const all = await stage.driver.records();
        const bad = all.filter((record) => record.sync_status !== 'SYNCED' || record.synced_version !== 2);
        expect(bad).to.deep.equal([]);
        return all;
      },
      { limitMs: 200_000, everyMs: 200 },
    );
    const values = Object.fromEntries(
      records.map((record) => [record.secret_name, stage.value(record.external_name)]),
    );
    expect(values).to.deep.equal(
      Object.fromEntries(names.map((name) => [name, stage.outside(`newer value of ${name}`)])),
    );
    expect(stage.fake.entries()).to.have.length(most);
  });

  it('`verify` tells an entry that was deleted outside', async () => {
    await stage.synced('watched');
    const verify = async (): Promise<string> =>
      (
        await stage.sealift.client.post(`${stage.driver.path}/associations/verify`, {
          mount: 'secret',
          secret_name: stage.secretName(),
        })
      ).text;
    expect(await verify()).to.match(/"state":"(in_sync|present)"/);
    stage.fake.reset();
    expect(await verify()).to.contain('"state":"missing"');
  });
}

function tagsOf(entry: { tags?: Record<string, string> } | undefined): { tags?: Record<string, string> } {
  return entry?.tags ? { tags: entry.tags } : {};
}
