import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

const CREATE = 'CreateSecret';

describe('a write while the value before it is on its way', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    scene = await openCloud1Scene();
  });
  afterEach(() => scene.close());

  it('a value that is written during a push follows it, although the push succeeds', async () => {
    const { driver, fake, sealift } = scene;
    fake.addFault({ kind: 'held', operation: CREATE, times: 1 });
    await sealift.start('worker', cloud1Worker(fake));
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await eventually(() => expect(fake.callsOf(CREATE)).to.have.length(1));
    await driver.write('db', { v: 2 });
    fake.clearFaults();
    const [record] = await driver.settles('db', 'SYNCED');
    expect(record).to.include({ synced_version: 2 });
    expect(fake.entries().map(({ value }) => value)).to.deep.equal(['{"v":2}']);
  });
});
