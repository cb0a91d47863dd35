import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/cloud1-sm/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';
import { IMPATIENT } from './impatient.ts';

const PUT = 'PutSecretValue';

describe('a call that was given up', function () {
  this.timeout(60_000);
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ environment: IMPATIENT });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
    await sealift.start('worker', cloud1Worker(fake));
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
  });

  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('and carried out by the store after a newer one is written over, once', async () => {
    const content = (): (string | null)[] => fake.entries().map(({ value }) => value);
    fake.addFault({ kind: 'held', operation: PUT, times: 1 });
    await driver.write('db', { v: 2 });
    await driver.settles('db', 'EXTERNAL_SERVICE_ERROR');
    await driver.write('db', { v: 3 });
    await driver.settles('db', 'SYNCED');
    expect(content()).to.deep.equal(['{"v":3}']);
    fake.clearFaults();
    await eventually(() => expect(content()).to.deep.equal(['{"v":2}']));
    await eventually(() => expect(content()).to.deep.equal(['{"v":3}']));
    await driver.settles('db', 'SYNCED');
    const calls = fake.callsOf(PUT).length;
    await new Promise((resolve) => setTimeout(resolve, 2.5 * Number(IMPATIENT.LEASE)));
    expect(fake.callsOf(PUT)).to.have.length(calls);
  });
});
