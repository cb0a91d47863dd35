import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';
import { IMPATIENT } from './impatient.ts';

const PUT = 'PutSecretValue';

describe('a call that was given up', function () {
  this.timeout(60_000);
  let fake: Cloud1Scene['fake'];
  let sealift: Cloud1Scene['sealift'];
  let driver: Cloud1Scene['driver'];
  let close: Cloud1Scene['close'];

  before(async () => {
    // Not tried again before anybody can see that it has failed.
    const environment = { ...IMPATIENT, RETRY_MIN: '500' };
    ({ fake, sealift, driver, close } = await openCloud1Scene({ environment }));
    await sealift.start('worker', cloud1Worker(fake));
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
  });

  after(() => close());

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
