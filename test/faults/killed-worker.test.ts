import { expect } from 'chai';
import type { Checkpoint } from '../../libs/sync/order.ts';
import { withTimeout } from '../../libs/time/with-timeout.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { spawnProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';
import { SHORT_LIMITS } from './short-limits.ts';

const CHECKPOINTS: Checkpoint[] = [
  'before-claim',
  'after-claim',
  'after-call',
  'before-store',
  'after-store',
  'before-ack',
];

describe('a worker killed at each checkpoint of a push', () => {
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ environment: SHORT_LIMITS });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure({ ...cloud1Settings(), secret_name_template: 'old-{{ .SecretPath }}' });
  });

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  // Expects the worker to end by its own signal and for no other reason. It may end before it reports that it is ready.
  const dieAt = async (checkpoint: Checkpoint): Promise<void> => {
    const environment = { ...sealift.environment, ...cloud1Environment(fake) };
    const faults = { FAULT_CHECKPOINT: checkpoint, FAULT_NTH: '1' };
    const worker = await spawnProcess('test/faults/worker.js', { ...environment, ...faults });
    try {
      expect(await withTimeout(120_000, worker.ended), worker.output()).to.equal(null);
    } finally {
      await worker.kill();
    }
  };
  const content = (): Record<string, string | null> =>
    Object.fromEntries(fake.entries().map(({ name, value }) => [name, value]));

  for (const checkpoint of CHECKPOINTS) {
    it(`an update, a rename and a removal survive a worker killed at ${checkpoint}`, async () => {
      const first = await sealift.start('first', cloud1Worker(fake));
      for (const name of ['updated', 'removed']) {
        await driver.write(name, { v: 1 });
        await driver.associate(name);
        await driver.settles(name, 'SYNCED');
      }
      await first.stop();
      await driver.write('updated', { v: 2 });
      await driver.dissociate('removed');
      await driver.write('created', { v: 1 });
      await sealift.client.post(
        `${driver.path}/associations/set`,
        { mount: 'secret', secret_name: 'created' },
        { headers: { prefer: 'respond-async' } },
      );
      await dieAt(checkpoint);
      // An entry that the dead worker began, under a name that is no longer wanted, must not stay.
      await driver.patch({ secret_name_template: 'new-{{ .SecretPath }}' });
      const last = await sealift.start('last', cloud1Worker(fake));
      await driver.settles('updated', 'SYNCED');
      await driver.settles('created', 'SYNCED');
      await eventually(
        () => expect(content()).to.deep.equal({ 'new-updated': '{"v":2}', 'new-created': '{"v":1}' }),
        { limitMs: 20_000 },
      );
      await last.stop();
    });
  }

  it('a value whose arrival nobody reported is written again', async () => {
    const first = await sealift.start('first', cloud1Worker(fake));
    await driver.write('db', { v: 'old' });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    await first.stop();
    await driver.write('db', { v: 'new' });
    // On a slow machine the first calls may only look at the entry.
    const isNew = (): boolean => content()['old-db'] === '{"v":"new"}';
    for (let calls = 0; calls < 3 && !isNew(); calls += 1) await dieAt('after-call');
    expect(isNew()).to.equal(true);
    await driver.write('db', { v: 'old' });
    // The store throttles the next write, so nothing is written, but the worker stores that result.
    fake.addFault({ kind: 'throttle', operation: 'PutSecretValue', times: 1 });
    const last = await sealift.start('last', cloud1Worker(fake));
    await driver.settles('db', 'SYNCED');
    expect(content()).to.deep.equal({ 'old-db': '{"v":"old"}' });
    await last.stop();
  });
});
