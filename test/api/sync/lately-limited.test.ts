import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';

describe('what a rate limit explains', () => {
  let scene: Cloud1Scene;

  before(async () => {
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    for (const path of ['app', 'other']) {
      await scene.driver.write(path, { v: 1 });
      await scene.driver.associate(path);
      await scene.driver.settles(path, 'SYNCED');
    }
  });
  afterEach(() => scene.fake.clearFaults());
  after(() => scene.close());

  const slowAttempt = async (cause: () => Promise<unknown>) => {
    const { driver, fake } = scene;
    fake.clearCalls();
    fake.addFault({ kind: 'slow', delayMs: 2000 });
    await cause();
    await eventually(async () => (await driver.records('app'))[0]?.sync_status === 'SYNCING');
    // The plan of the attempt is stored before its call.
    await eventually(async () => fake.calls().some(({ status }) => status === 0));
    return (await driver.records('app'))[0]?.last_failure;
  };

  it('a version that is restored during a limit is out of sync since then', async () => {
    const { driver, fake, sealift } = scene;
    await sealift.client.post('/v1/secret/delete/app', { versions: [1] });
    await driver.settles('app', 'UNSYNCED');
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 1, times: 1 });
    await driver.write('other', { v: 2 });
    await driver.settles('other', 'SYNCED');
    const restored = Date.now();
    const failure = await slowAttempt(() =>
      sealift.client.post('/v1/secret/undelete/app', { versions: [1] }),
    );
    expect(failure).to.include({ code: 'rate_limited' });
    expect(Date.parse(failure?.since ?? '')).to.be.above(restored - 100);
  });

  it('a version that a pause held back before a limit did is out of sync since it was saved', async () => {
    const { driver, fake, sealift } = scene;
    await driver.settles('app', 'SYNCED');
    await sealift.client.post(`${driver.path}/pause`, {});
    await driver.write('app', { v: 'paused' });
    const saved = Date.now();
    await eventually(() => Date.now() > saved + 3000);
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 2 });
    await sealift.client.post(`${driver.path}/resume`, {});
    await driver.settles('app', 'THROTTLED');
    const [record] = await driver.records('app');
    expect(record?.last_failure).to.include({ code: 'rate_limited' });
    expect(Date.parse(record?.last_failure?.since ?? '')).to.be.at.most(saved);
  });

  it('a version whose deletion a pause held back is out of sync since it was deleted', async () => {
    const { driver, fake, sealift } = scene;
    await driver.settles('app', 'SYNCED');
    const newest = (await driver.records('app'))[0]?.source_version;
    await sealift.client.post(`${driver.path}/pause`, {});
    await sealift.client.post('/v1/secret/delete/app', { versions: [newest] });
    const deleted = Date.now();
    await eventually(() => Date.now() > deleted + 3000);
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 2 });
    await sealift.client.post(`${driver.path}/resume`, {});
    await driver.settles('app', 'THROTTLED');
    const [record] = await driver.records('app');
    expect(record?.last_failure).to.include({ code: 'rate_limited' });
    expect(Date.parse(record?.last_failure?.since ?? '')).to.be.at.most(deleted);
    fake.clearFaults();
    await driver.write('app', { v: 'again' });
  });

  it('an entry that someone changed is out of sync since that was found', async () => {
    const { driver, fake, sealift } = scene;
    await driver.settles('app', 'SYNCED');
    const body = { mount: 'secret', secret_name: 'app' };
    for (const entry of fake.entries().filter(({ name }) => name === 'app'))
      fake.plant({ ...entry, value: 'theirs' });
    await sealift.client.post(`${driver.path}/associations/verify`, body);
    const since = (await driver.records('app'))[0]?.drift?.since;
    expect(since).to.be.a('string');
    fake.addFault({ kind: 'throttle', retryAfterSeconds: 2 });
    await sealift.client.post(`${driver.path}/associations/set`, body);
    await driver.settles('app', 'THROTTLED');
    expect((await driver.records('app'))[0]?.last_failure).to.include({ code: 'rate_limited', since });
  });

  it('a store that is only slow some time after a limit is not said to limit the rate', async () => {
    const { driver, sealift } = scene;
    await driver.settles('app', 'SYNCED');
    const { db } = sealift.context;
    const [limit] = await db('destinations').select('rate_limit_expires_at');
    expect(limit.rate_limit_expires_at, 'it keeps to the documented rate').to.be.a('date');
    await db('destinations').update({
      throttled_until: db.raw(`now() - interval '1 minute'`),
      rate_limit_expires_at: db.raw(`rate_limit_expires_at - interval '2 minutes'`),
    });
    expect(await slowAttempt(() => driver.write('app', { v: 2 }))).to.equal(undefined);
  });
});
