import { expect } from 'chai';
import { startHostingProjectFake, type HostingProjectFake } from '../../sandbox/vercel-env/fake.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../../support/sync-driver.ts';
import { vercelWorker } from '../../support/vercel-worker.ts';
import { rowOf } from './support.ts';

const PATH = '/v1/sys/sync/destinations/hosting-project';
const SETTINGS = {
  access_token: 'vcp_valid',
  project_id: 'prj_web',
  deployment_environments: ['production', 'preview'],
  secret_name_template: '{{ .SecretKey }}',
};

describe('hosting-project: sensitive variables', () => {
  let fake: HostingProjectFake;
  let sealift: Sealift;
  let count = 0;

  const create = async (more: object) => {
    count += 1;
    const path = `${PATH}/d${count}`;
    return { path, answer: await sealift.client.post(path, { ...SETTINGS, ...more }) };
  };

  const readSensitive = async (path: string): Promise<unknown> =>
    (await sealift.client.get(path)).body.data.connection_details.sensitive;

  // A destination that an earlier release made: its settings do not say which kind its variables are.
  const makeOlder = (name: string) =>
    sealift.context
      .db('destinations')
      .where({ name })
      .update({ settings: sealift.context.db.raw("settings - 'sensitive'") });

  async function sync(driver: SyncDriver, secret: string, data: Record<string, string>): Promise<void> {
    await driver.write(secret, data);
    await driver.associate(secret);
    await driver.settles(secret, 'SYNCED');
  }

  before(async () => {
    fake = await startHostingProjectFake();
    sealift = await startSealift({ workers: { connector: vercelWorker(fake) } });
  });
  after(async () => {
    await sealift?.stop();
    await fake?.close();
  });

  it('a new destination for production and preview writes sensitive variables', async () => {
    const driver = createSyncDriver(sealift, 'hosting-project', 'sensitive');
    await driver.configure(SETTINGS);
    await sync(driver, 'fresh', { FRESH: 'one' });
    expect(rowOf(fake, 'FRESH')).to.include({ type: 'sensitive', value: 'one' });
    await sync(driver, 'fresh', { FRESH: 'two' });
    expect(rowOf(fake, 'FRESH')).to.include({ type: 'sensitive', value: 'two' });
    expect(await readSensitive(driver.path)).to.equal(true);
  });

  it('verifying sensitive variables tells that they are there, and finds those that are gone', async () => {
    const driver = createSyncDriver(sealift, 'hosting-project', 'verified');
    await driver.configure({ ...SETTINGS, project_id: 'prj_verified' });
    await sync(driver, 'verified', { HERE: 'one', GONE: 'one' });
    fake.drop(rowOf(fake, 'GONE').id);
    const { body } = await sealift.client.post(`${driver.path}/associations/verify`, {
      mount: 'secret',
      secret_name: 'verified',
    });
    const states = body.data.entries.map((entry: { sub_key: string; state: string }) => [
      entry.sub_key,
      entry.state,
    ]);
    expect(Object.fromEntries(states)).to.deep.equal({ HERE: 'present', GONE: 'missing' });
  });

  it('a change by somebody else is found however soon after our write it is made', async () => {
    const driver = createSyncDriver(sealift, 'hosting-project', 'changed');
    await driver.configure({ ...SETTINGS, project_id: 'prj_changed' });
    await sync(driver, 'changed', { CHANGED_SOON: 'one', SAME: 'one' });
    const verify = async (): Promise<Record<string, string>> => {
      const { body } = await sealift.client.post(`${driver.path}/associations/verify`, {
        mount: 'secret',
        secret_name: 'changed',
      });
      const entries: { sub_key: string; state: string }[] = body.data.entries;
      return Object.fromEntries(entries.map(({ sub_key: key, state }) => [key, state]));
    };
    expect(await verify()).to.deep.equal({ CHANGED_SOON: 'present', SAME: 'present' });
    // Vercel may round the time of our write.
    const since = Date.now();
    await eventually(() => expect(Date.now()).to.be.greaterThan(since + 1100));
    fake.change(rowOf(fake, 'CHANGED_SOON').id, { value: 'of somebody else' });
    expect(await verify()).to.deep.equal({ CHANGED_SOON: 'drifted', SAME: 'present' });
    await driver.associate('changed');
    await driver.settles('changed', 'SYNCED');
    expect(rowOf(fake, 'CHANGED_SOON')).to.include({ value: 'one' });
    expect(await verify()).to.deep.equal({ CHANGED_SOON: 'present', SAME: 'present' });
  });

  it('a new destination with development writes readable variables, and a warning says why', async () => {
    for (const deployment_environments of [['development'], ['production', 'development']]) {
      const { path, answer } = await create({ deployment_environments });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body.warnings.join()).to.match(/can be read at Vercel.*"development"/);
      expect(await readSensitive(path)).to.equal(false);
    }
  });

  it('a plan for a destination that does not exist yet warns of readable variables too', async () => {
    const planned = (more: object) =>
      sealift.client.post(`${PATH}/planned/plan`, { destination: { ...SETTINGS, ...more }, secrets: [] });
    expect((await planned({})).body.warnings).to.equal(null);
    const { body } = await planned({ deployment_environments: ['development'] });
    expect(body.warnings.join()).to.contain('can be read at Vercel');
  });

  it('a destination can ask for readable variables, and development refuses sensitive ones', async () => {
    const { path, answer } = await create({ sensitive: false });
    expect(answer.body.warnings).to.equal(null);
    expect(await readSensitive(path)).to.equal(false);
    const refused = await create({ sensitive: true, deployment_environments: ['development'] });
    expect(refused.answer.status).to.equal(400);
    expect(refused.answer.text).to.contain('set sensitive to false');
  });

  it('a destination of an earlier release keeps its readable variables until it is asked', async () => {
    const { path } = await create({});
    await makeOlder(`d${count}`);
    for (const change of [
      () => sealift.client.post(path, { ...SETTINGS, deletion_policy: 'retain' }),
      () => sealift.client.patch(path, { deletion_policy: 'delete' }),
    ]) {
      const changed = await change();
      expect(changed.status, changed.text).to.equal(200);
      expect(await readSensitive(path)).to.equal(undefined);
    }
    expect((await sealift.client.patch(path, { sensitive: true })).status).to.equal(200);
    expect(await readSensitive(path)).to.equal(true);
  });

  it('replacing a destination keeps the kind of its variables, unless the call gives it', async () => {
    for (const sensitive of [true, false]) {
      const { path } = await create({ sensitive });
      const replaced = await sealift.client.post(path, { ...SETTINGS, deletion_policy: 'retain' });
      expect(replaced.status, replaced.text).to.equal(200);
      expect(await readSensitive(path)).to.equal(sensitive);
      await sealift.client.post(path, { ...SETTINGS, sensitive: !sensitive });
      expect(await readSensitive(path)).to.equal(!sensitive);
    }
  });
});
