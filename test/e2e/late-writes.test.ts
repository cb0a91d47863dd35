import { expect } from 'chai';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { startProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../support/sandboxed.ts';

const PUT = 'PutSecretValue';
const CREATE = 'CreateSecret';

describe('a write that was given up and that the store carries out late', () => {
  let scene: Cloud1Scene;

  beforeEach(async () => {
    // Retries wait long enough that the test can see the failure.
    scene = await openCloud1Scene({ environment: { ...SHORT_LIMITS, RETRY_MIN: '2000', RETRY_MAX: '2000' } });
  });
  afterEach(() => scene.close());

  const content = (): (string | null)[] => scene.fake.entries().map(({ value }) => value);
  const hold = (operation: string): void => scene.fake.addFault({ kind: 'held', operation, times: 1 });

  // The write is done and will be repeated at a time that the record shows.
  const isUnconfirmed = (status: string) =>
    eventually(async () => {
      const [record] = await scene.driver.records('db');
      expect(record?.next_attempt_at).to.be.a('string');
      expect(record?.sync_status).to.equal(status);
      return record;
    });

  async function sync(): Promise<void> {
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await scene.driver.write('db', { v: 1 });
    await scene.driver.associate('db');
    await scene.driver.settles('db', 'SYNCED');
  }

  it('a late write does not survive two newer writes, and SYNCED is not said before', async () => {
    const { driver, fake } = scene;
    await sync();
    hold(PUT);
    await driver.write('db', { v: 2 });
    await driver.settles('db', 'EXTERNAL_SERVICE_ERROR');
    // A refresh makes it a different call: the store would ignore a repeated one.
    await driver.associate('db');
    expect(await isUnconfirmed('SYNCING')).to.include({ synced_version: 1, cause: null });
    await driver.write('db', { v: 3 });
    await eventually(() => expect(content()).to.deep.equal(['{"v":3}']));
    await isUnconfirmed('SYNCING');
    fake.clearFaults();
    await eventually(() => expect(content()).to.deep.equal(['{"v":2}']));
    const [confirmed] = await driver.settles('db', 'SYNCED');
    expect(confirmed).to.include({ synced_version: 3, next_attempt_at: null });
    expect(content()).to.deep.equal(['{"v":3}']);
  });

  it('a late write does not bring back an entry whose association was removed meanwhile', async () => {
    const { driver, fake, sealift } = scene;
    hold(CREATE);
    fake.addFault({ kind: 'error', operation: CREATE });
    await sealift.start('worker', cloud1Worker(fake));
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await driver.settles('db', 'EXTERNAL_SERVICE_ERROR');
    await driver.dissociate('db');
    await isUnconfirmed('UNSYNCING');
    fake.clearFaults();
    await eventually(() => expect(content()).to.deep.equal(['{"v":1}']));
    await eventually(async () => expect(await driver.records()).to.deep.equal([]));
    expect(content()).to.deep.equal([]);
  });

  it('a late write is written over by the worker that takes over from one that was killed', async () => {
    const { driver, fake, sealift } = scene;
    // It must not give the call up before it is killed.
    const limits = { CALL_TIMEOUT: '2000', LEASE: '4000', LOG_LEVEL: 'info' };
    const environment = { ...sealift.environment, ...limits, ...cloud1Environment(fake) };
    const first = await startProcess('programs/connectors/main.js cloud1-sm', environment);
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    hold(PUT);
    await driver.write('db', { v: 2 });
    await eventually(() => fake.callsOf(PUT).length === 1);
    await first.kill('SIGKILL');
    await driver.write('db', { v: 3 });
    await sealift.start('worker', cloud1Worker(fake));
    await isUnconfirmed('SYNCING');
    fake.clearFaults();
    await eventually(() => expect(content()).to.deep.equal(['{"v":2}']));
    await driver.settles('db', 'SYNCED');
    expect(content()).to.deep.equal(['{"v":3}']);
  });
});
