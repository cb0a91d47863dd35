import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import type { Stage } from './stage.ts';

/** Which entries are ours, which are foreign, and what happens to both. */
export function describeOwnership(stage: Stage): void {
  const { subject } = stage;

  it('deletion_policy retain leaves the entry outside', async () => {
    await stage.configure({ deletion_policy: 'retain' });
    const name = await stage.synced('retained');
    await stage.driver.dissociate(stage.secretName());
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(stage.value(name)).to.equal(stage.outside('retained'));
  });

  it('an entry that deletion_policy retain left outside is taken up again with its secret', async () => {
    await stage.configure({ deletion_policy: 'retain' });
    const name = await stage.synced('retained');
    await stage.sealift.client.delete(`/v1/secret/data/${stage.secretName()}`);
    await stage.driver.settles(stage.secretName(), 'UNSYNCED');
    expect(stage.value(name)).to.equal(stage.outside('retained'));
    await stage.driver.write(stage.secretName(), { value: 'back' });
    await eventually(() => stage.value(name) === stage.outside('back'));
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    await stage.driver.dissociate(stage.secretName());
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(stage.value(name)).to.equal(stage.outside('back'));
  });

  it('a creation that nobody reported is removed with its association', async () => {
    const name = await stage.plannedName();
    stage.fake.addFault({ kind: 'cut-after', operation: subject.writes });
    const associated = stage.driver.associate(stage.secretName());
    await eventually(() => stage.fake.entries().length > 0, { everyMs: 1 });
    // From here on the store does not answer at all, because the next try may begin with a read.
    stage.fake.addFault({ kind: 'cut' });
    await associated;
    await stage.driver.settles(stage.secretName(), 'EXTERNAL_SERVICE_ERROR');
    expect(stage.fake.entries().map((entry) => entry.name)).to.deep.equal([name]);
    await stage.driver.dissociate(stage.secretName());
    stage.fake.clearFaults();
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(stage.value(name)).to.equal(undefined);
  });

  it('conflict_policy refuse leaves a foreign entry as it is and says so', async () => {
    const name = await stage.plannedName();
    stage.fake.plant(subject.foreign(name, 'theirs'));
    await stage.driver.associate(stage.secretName());
    const [record] = await stage.driver.settles(stage.secretName(), 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('conflict');
    expect(stage.value(name)).to.equal('theirs');
    await stage.driver.dissociate(stage.secretName());
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(stage.value(name)).to.equal('theirs');
  });

  // Elsewhere an entry is told by something that nobody else can give it.
  if (subject.destination.tags)
    it('a retry that says so overwrites what someone wrote over an entry, also without our mark', async () => {
      const name = await stage.synced('mine');
      stage.fake.plant(subject.foreign(name, 'theirs'));
      const body = { mount: 'secret', secret_name: stage.secretName() };
      await stage.sealift.client.post(`${stage.driver.path}/associations/verify`, body);
      const [record] = await stage.driver.records(stage.secretName());
      expect(record?.sync_status).to.equal('DRIFTED');
      const wanted = { cause: record?.cause?.code, conflict_policy: 'overwrite' };
      const retried = await stage.sealift.client.post(`${stage.driver.path}/associations/retry`, wanted);
      expect(retried.body.data.retried, retried.text).to.equal(1);
      await stage.driver.settles(stage.secretName(), 'SYNCED');
      expect(stage.value(name)).to.equal(stage.outside('mine'));
    });

  for (const policy of ['overwrite', 'adopt']) {
    it(`conflict_policy ${policy} takes a foreign entry over`, async () => {
      await stage.configure({ conflict_policy: policy });
      const name = await stage.plannedName();
      stage.fake.plant(subject.foreign(name, 'theirs'));
      await stage.driver.associate(stage.secretName());
      await stage.driver.settles(stage.secretName(), 'SYNCED');
      expect(stage.value(name)).to.equal(stage.outside('mine'));
      await stage.driver.write(stage.secretName(), { value: 'next' });
      await eventually(() => stage.value(name) === stage.outside('next'));
    });
  }

  const isMarked = subject.destination.createIsExclusive || subject.destination.tags !== undefined;
  it(`an entry that the ledger lost is ${isMarked ? 'recognised by its mark' : 'refused without one'}`, async () => {
    const name = await stage.synced('ours');
    await stage.sealift.client.delete(`${stage.driver.path}?force_delete=true`);
    await stage.configure({});
    await stage.driver.associate(stage.secretName());
    await stage.driver.settles(stage.secretName(), isMarked ? 'SYNCED' : 'CLIENT_SIDE_ERROR');
    expect(stage.value(name)).to.equal(stage.outside('ours'));
  });

  // Somebody deletes our entry and creates their own with the same name.
  const replace = (name: string): void => {
    stage.fake.reset();
    stage.fake.plant(subject.foreign(name, 'theirs'));
  };

  it('an entry that somebody made anew under our name is not overwritten', async () => {
    const name = await stage.synced('ours');
    replace(name);
    await stage.driver.write(stage.secretName(), { value: 'newer' });
    const [record] = await stage.driver.settles(stage.secretName(), 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('conflict');
    expect(stage.value(name)).to.equal('theirs');
    await stage.driver.dissociate(stage.secretName());
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(stage.value(name)).to.equal('theirs');
  });

  it('an entry that somebody made anew under our name is not deleted with the association', async () => {
    const name = await stage.synced('ours');
    const plan = async (): Promise<string> => {
      const body = {
        secrets: [{ mount: 'secret', secret_name: stage.secretName() }],
        unlink: true,
        look: true,
      };
      const { data } = (await stage.sealift.client.post(`${stage.driver.path}/plan`, body)).body;
      return data.secrets[0].planned[0].action;
    };
    expect(await plan()).to.equal('delete');
    replace(name);
    // Some stores tell an entry by more than its name, so ours is gone.
    expect(await plan()).to.be.oneOf(['retain', 'unchanged']);
    await stage.driver.dissociate(stage.secretName());
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(stage.value(name)).to.equal('theirs');
  });

  it('an entry that somebody made anew under our name is taken over by conflict_policy', async () => {
    await stage.configure({ conflict_policy: 'overwrite' });
    const name = await stage.synced('ours');
    replace(name);
    await stage.driver.write(stage.secretName(), { value: 'newer' });
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    expect(stage.value(name)).to.equal(stage.outside('newer'));
  });

  it('foreign entries around ours are never touched', async () => {
    for (const name of ['OTHER_ONE', 'OTHER_TWO']) stage.fake.plant(subject.foreign(name, `${name}-value`));
    const planted = (): string =>
      JSON.stringify(stage.fake.entries().filter((entry) => entry.name.startsWith('OTHER')));
    const initially = planted();
    await stage.synced('x');
    await stage.driver.patch({ secret_name_template: `again-${stage.template}` });
    await stage.driver.settles(stage.secretName(), 'SYNCED');
    await stage.driver.dissociate(stage.secretName());
    await eventually(async () => (await stage.driver.records(stage.secretName())).length === 0);
    expect(planted()).to.equal(initially);
  });

  if (stage.subject.destination.tags) {
    it('a change of custom_tags follows to what is out there, and removes nobody else’s', async () => {
      await stage.configure({ custom_tags: { team: 'blue', tier: 'gold' } });
      const name = await stage.synced('tagged');
      const tags = (): Record<string, string> =>
        stage.fake.entries().find((entry) => entry.name === name)?.tags ?? {};
      expect(tags()).to.include({ team: 'blue', tier: 'gold' });
      stage.fake.clearCalls();
      await stage.configure({ custom_tags: { team: 'green', stage: 'live' } });
      await eventually(() => tags()['team'] === 'green' && tags()['stage'] === 'live');
      await stage.driver.settles(stage.secretName(), 'SYNCED');
      expect(tags()).to.not.have.property('tier');
      expect(stage.writesSoFar()).to.equal(0);
      expect(stage.value(name)).to.equal(stage.outside('tagged'));
    });
  }
}
