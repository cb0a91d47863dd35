import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';
import { runNow, startMaintenance } from '../key-maintenance/support.ts';

describe('the purge of a destination', () => {
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;
  let count = 0;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: { ...SHORT_LIMITS, CALL_TIMEOUT: '3000', LEASE: '6000' },
      workers: { connector: cloud1Worker(fake) },
    });
  });
  beforeEach(async () => {
    fake.reset();
    count += 1;
    driver = createSyncDriver(sealift, 'cloud1-sm', `d${count}`);
    await driver.configure(cloud1Settings());
    for (const name of ['one', 'two']) {
      await driver.write(name, { v: name });
      await driver.associate(name);
      await driver.settles(name, 'SYNCED');
    }
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  const purge = () => sealift.client.delete(`${driver.path}?purge=true`);
  const read = () => sealift.client.get(driver.path);
  const isDeleted = () => eventually(async () => (await read()).status === 404);
  const hasFailed = () => eventually(async () => (await read()).body.data.purge_error !== undefined);
  let services: ReturnType<typeof startMaintenance> | undefined;
  const maintenance = () => (services ??= startMaintenance(sealift));
  const outside = () => fake.entries().map(({ name }) => name);

  it('a secret keeps a destination whose purge failed, whatever is removed from it later', async () => {
    fake.addFault({ kind: 'denied', operation: 'DeleteSecret' });
    await purge();
    await hasFailed();
    expect((await driver.associate('one')).status).to.equal(200);
    fake.clearFaults();
    for (const name of ['one', 'two']) {
      await driver.dissociate(name);
      await eventually(async () => (await driver.records(name)).length === 0);
    }
    await runNow(await maintenance(), 'finish-purges');
    expect((await read()).status).to.equal(200);
    expect(outside()).to.deep.equal([]);
  });

  it('a purge is not called failed, and allows no change, while some of it waits for its turn', async () => {
    fake.addFault({ kind: 'denied', operation: 'DeleteSecret', target: 'two' });
    fake.addFault({ kind: 'slow', operation: 'DeleteSecret', target: 'one', delayMs: 2000 });
    await purge();
    await driver.settles('two', 'CLIENT_SIDE_ERROR');
    const { data } = (await read()).body;
    expect(data).to.have.property('purge_initiated_at');
    expect(data).to.not.have.property('purge_error');
    expect((await driver.patch({ custom_tags: { a: '1' } })).status).to.equal(400);
    expect((await driver.associate('one')).status).to.equal(400);
    fake.clearFaults();
    await eventually(async () => (await driver.records('one')).length === 0);
    await purge();
    await isDeleted();
  });

  it('a purge says that an outage delays it, and a change ends it', async () => {
    fake.addFault({ kind: 'error', operation: 'DeleteSecret' });
    await purge();
    await hasFailed();
    expect((await driver.patch({ custom_tags: { a: '1' } })).status).to.equal(200);
    fake.clearFaults();
    await eventually(async () => (await driver.records()).length === 0);
    expect(outside()).to.deep.equal([]);
    const { data } = (await read()).body;
    expect(data).to.not.have.any.keys('purge_initiated_at', 'purge_error');
  });

  it('a purge that failed can be begun again, and then ends', async () => {
    fake.addFault({ kind: 'denied', operation: 'DeleteSecret' });
    await purge();
    await hasFailed();
    expect((await read()).body.data.purge_error).to.match(/^\w+: /);
    fake.clearFaults();
    await purge();
    await isDeleted();
    expect(outside()).to.deep.equal([]);
  });
});
