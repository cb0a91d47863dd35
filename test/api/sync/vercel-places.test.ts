import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { openVercelScene, vercelSettings, type VercelScene } from '../../support/vercel-worker.ts';
import { expectOk } from './support.ts';

const VALUE = '{"user":"app"}';

describe('the environments of variables at Vercel', () => {
  let fake: VercelScene['fake'];
  let sealift: VercelScene['sealift'];
  let driver: VercelScene['driver'];
  let close: VercelScene['close'];

  beforeEach(async () => {
    ({ fake, sealift, driver, close } = await openVercelScene());
    await driver.write('one', { user: 'app' });
  });
  afterEach(() => close());

  const configure = async (...environments: string[]): Promise<void> => {
    expect((await driver.configure(vercelSettings(...environments))).status).to.equal(200);
  };
  const body = { mount: 'secret', secret_name: 'one' };
  const post = async (what: string, more: object) =>
    expectOk(await sealift.client.post(`${driver.path}/${what}`, more));
  const planned = async (more: object) =>
    (await post('plan', { secrets: [body], look: true, ...more })).secrets[0].planned[0];
  const plant = (value: string, ...target: string[]): void => fake.plant({ name: 'ONE', value, target });
  const rows = () => fake.entries().map(({ value, target, type }) => ({ value, target, type }));

  const expectBlocked = async (reason: RegExp): Promise<void> => {
    const before = rows();
    for (const decision of ['adopt', 'overwrite']) {
      const step = await planned({ conflict_policy: decision });
      expect(step.action).to.equal('conflict');
      expect(step.reason).to.match(reason);
      await post('associations/set', { ...body, conflict_policy: decision });
      await driver.settles('one', 'CLIENT_SIDE_ERROR');
      const [record] = await driver.records('one');
      expect(record?.cause?.code).to.equal('blocked');
      expect(record, 'a decision that cannot be carried out').not.to.have.property('decision');
      expect(record?.cause?.message).to.match(reason);
    }
    expect(rows()).to.deep.equal(before);
  };

  it('a plan offers nobody a variable that also serves other environments', async () => {
    await configure('production');
    plant('theirs', 'production', 'preview');
    await expectBlocked(/has environments outside this destination \(it has Preview and Production/);
  });

  it('a plan offers nobody variables that share the environments of the destination', async () => {
    await configure('production', 'preview');
    plant('theirs', 'production');
    plant('other', 'preview');
    await expectBlocked(
      /^Other variables of this name in prj_web already have Preview and Production\. They cannot/,
    );
  });

  it('a variable with our value is adopted with all environments, and as sensitive', async () => {
    await configure('production', 'preview');
    plant(VALUE, 'production');
    await post('associations/set', { ...body, conflict_policy: 'adopt' });
    await driver.settles('one', 'SYNCED');
    const [row, ...others] = rows();
    expect(others).to.deep.equal([]);
    expect(row).to.deep.include({ value: VALUE, type: 'sensitive' });
    expect(row?.target).to.have.members(['production', 'preview']);
    const path = `${driver.path}/associations/history?mount=secret&secret_name=one`;
    const { history } = expectOk(await sealift.client.get(path));
    expect(history[0]).to.include({ action: 'adopt', outcome: 'SYNCED' });
  });

  it('a plan under the policy adopt tells equal values from those that are lost', async () => {
    await configure('production');
    await driver.write('two', { user: 'app' });
    plant(VALUE, 'production');
    fake.plant({ name: 'TWO', value: 'theirs', target: ['production'] });
    const secrets = [body, { mount: 'secret', secret_name: 'two' }];
    for (const isLinked of [false, true]) {
      const plan = await post('plan', { secrets, look: true, conflict_policy: 'adopt' });
      expect(plan.totals, String(isLinked)).to.deep.equal({ adopt: 1, overwrite: 1 });
      expect(JSON.stringify(plan)).not.to.include('fingerprints');
      await post('associations/set-many', { secrets });
    }
  });

  it('an overwriting says which environments a variable gets', async () => {
    await configure('production', 'preview');
    plant('theirs', 'production');
    expect((await planned({ conflict_policy: 'overwrite' })).reason).to.match(
      /; its value is replaced, and it gets the environments Preview and Production and becomes sensitive$/,
    );
  });

  it('a plan of other names keeps the variable whose new name is in use, as the push does', async () => {
    await configure('production');
    await post('associations/set', body);
    await driver.settles('one', 'SYNCED');
    fake.plant({ name: 'NEW_ONE', value: 'theirs', target: ['production', 'preview'] });
    const destination = { secret_name_template: 'NEW_{{ .SecretPath | uppercase }}' };
    const { secrets, totals } = await post('plan', { secrets: [body], look: true, destination });
    const actions = Object.fromEntries(
      secrets[0].planned.map((step: { external_name: string; action: string }) => [
        step.external_name,
        step.action,
      ]),
    );
    expect(actions).to.deep.equal({ NEW_ONE: 'conflict', ONE: 'retain' });
    expect(totals).to.deep.equal({ conflict: 1, retain: 1 });
    expectOk(await sealift.client.patch(driver.path, destination));
    await driver.settles('one', 'CLIENT_SIDE_ERROR');
    expect(fake.entries().map(({ name }) => name)).to.have.members(['ONE', 'NEW_ONE']);
  });

  it('a variable that was adopted as it was gets a further environment, as the plan says', async () => {
    const open = { ...vercelSettings('production'), sensitive: false };
    expect((await driver.configure(open)).status).to.equal(200);
    plant(VALUE, 'production');
    await post('associations/set', { ...body, conflict_policy: 'adopt' });
    await driver.settles('one', 'SYNCED');
    const more = { deployment_environments: ['production', 'preview'] };
    const step = await planned({ destination: more });
    expect(step.action).to.equal('update');
    expect(step.reason).to.match(/^its value is added to the environment Preview$/);
    expectOk(await sealift.client.patch(driver.path, more));
    await eventually(() => expect(rows()[0]?.target).to.have.members(['production', 'preview']));
    await driver.settles('one', 'SYNCED');
  });

  it('an inspection compares no single one of several variables that are in the way', async () => {
    await configure('production', 'preview');
    plant('theirs', 'production');
    plant(VALUE, 'preview');
    await post('associations/set', body);
    await driver.settles('one', 'CLIENT_SIDE_ERROR');
    const step = await planned({});
    expect(step).to.include({ action: 'conflict' }).and.not.to.have.any.keys('fingerprints', 'found');
  });

  it('a plan of settings says from which environments values are removed', async () => {
    await configure('production', 'preview');
    await post('associations/set', body);
    await driver.settles('one', 'SYNCED');
    const fewer = { destination: { deployment_environments: ['preview'] } };
    const step = await planned(fewer);
    expect(step).to.deep.include({ action: 'update', removed_from: ['Production'] });
    expect(step.reason).to.match(/^its value is removed from the environment Production$/);
  });

  it('a plan of settings names both a new value and the environments that get it', async () => {
    await configure('production');
    await post('associations/set', body);
    await driver.settles('one', 'SYNCED');
    expectOk(await sealift.client.post(`${driver.path}/pause`, {}));
    await driver.write('one', { user: 'newer' });
    const more = { destination: { deployment_environments: ['production', 'preview'] } };
    const step = await planned(more);
    expect(step.action).to.equal('update');
    expect(step.reason).to.equal(
      'a new value waits to be written, and it is added to the environment Preview',
    );
  });

  it('a renaming says that a new value waits, and which environments get and lose it', async () => {
    await configure('development');
    await post('associations/set', body);
    await driver.settles('one', 'SYNCED');
    const renaming = { secret_name_template: 'NEW_{{ .SecretPath | uppercase }}' };
    const moving = { ...renaming, deployment_environments: ['preview'] };
    const renamed = { action: 'rename', external_name: 'NEW_ONE', former_name: 'ONE' };
    const moves = 'added to the environment Preview, and removed from the environment Development';
    expect(await planned({ destination: renaming }))
      .to.deep.include({ ...renamed, reason: null })
      .and.not.to.have.property('removed_from');
    expect(await planned({ destination: moving })).to.deep.include({
      ...renamed,
      reason: `its value is ${moves}`,
      removed_from: ['Development'],
    });
    expectOk(await sealift.client.post(`${driver.path}/pause`, {}));
    await driver.write('one', { user: 'newer' });
    const waits = 'a new value waits to be written';
    expect(await planned({ destination: renaming })).to.deep.include({ ...renamed, reason: waits });
    for (const look of [true, false])
      expect(await planned({ destination: moving, look })).to.deep.include({
        ...renamed,
        reason: `${waits}, and it is ${moves}`,
        removed_from: ['Development'],
      });
    fake.plant({ name: 'NEW_ONE', value: 'theirs', target: ['preview'] });
    const replacing = { destination: { ...moving, conflict_policy: 'overwrite' } };
    const { secrets } = await post('plan', { secrets: [body], look: true, ...replacing });
    expect(secrets[0].planned[1], 'a deletion alone moves nothing').to.deep.equal({
      sub_key: '',
      external_name: 'ONE',
      action: 'delete',
      reason: null,
    });
  });

  it('a plan gives the name of a foreign variable to one alone of two links that want it', async () => {
    await configure('production');
    await driver.write('two', { user: 'app' });
    for (const name of ['one', 'two']) {
      expectOk(await driver.associate(name));
      await driver.settles(name, 'SYNCED');
    }
    fake.plant({ name: 'NEW', value: 'theirs', target: ['production'] });
    const destination = { secret_name_template: 'NEW' };
    const { totals } = await post('plan', { look: true, destination });
    expect(totals).to.include({ conflict: 1, taken: 1 });
    expectOk(await sealift.client.patch(driver.path, destination));
    await eventually(async () => {
      const causes = (await driver.records()).map(({ cause }) => cause?.code);
      expect(causes).to.have.members(['conflict', 'name_collision']);
      return true;
    });
  });

  it('other environments leave a name in use by another link of the destination', async () => {
    const keyed = { secret_name_template: '{{ .SecretKey | uppercase }}', granularity: 'secret-key' };
    expectOk(await driver.configure({ ...vercelSettings('production'), ...keyed }));
    await driver.write('two', { other: 'app' });
    for (const name of ['one', 'two']) expectOk(await driver.associate(name));
    for (const name of ['one', 'two']) await driver.settles(name, 'SYNCED');
    await driver.write('two', { other: 'app', user: 'second' });
    const isTaken = async (): Promise<boolean> =>
      (await driver.records('two')).some(({ cause }) => cause?.code === 'name_collision');
    await eventually(isTaken);
    const more = { deployment_environments: ['production', 'preview'] };
    const secrets = [{ mount: 'secret', secret_name: 'two' }];
    const plan = await post('plan', { secrets, look: true, destination: more });
    const before = await post('plan', { secrets, look: true });
    const usersOf = ({ secrets: [{ planned: steps }] }: typeof plan) =>
      steps.filter((step: { external_name: string }) => step.external_name === 'USER');
    expect(usersOf(plan)).to.deep.equal(usersOf(before));
    expect(usersOf(plan)[0]).to.include({ action: 'taken', fails_already: true });
    expectOk(await sealift.client.patch(driver.path, more));
    await driver.settles('one', 'SYNCED');
    expect(await isTaken()).to.equal(true);
  });
});
