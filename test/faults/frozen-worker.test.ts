import { expect } from 'chai';
import type { Checkpoint } from '../../libs/sync/order.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { spawnProcess, type SpawnedProcess } from '../support/child-process.ts';
import { eventually } from '../support/eventually.ts';
import { untilWaiting } from '../support/lock-waits.ts';
import { cloud1Environment, cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';
import { SHORT_LIMITS } from './short-limits.ts';

const PUT = 'PutSecretValue';

describe('a worker frozen beyond its lease', () => {
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;
  let frozen: SpawnedProcess | undefined;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ environment: SHORT_LIMITS });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
    const first = await sealift.start('first', cloud1Worker(fake));
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    await first.stop();
    fake.clearCalls();
  });

  afterEach(async () => {
    await frozen?.kill();
    frozen = undefined;
    await sealift.stop();
    await fake.close();
  });

  const spawn = async (faults: Record<string, string>): Promise<SpawnedProcess> => {
    const environment = { ...sealift.environment, ...cloud1Environment(fake), ...faults };
    frozen = await spawnProcess('test/faults/worker.js', environment);
    return frozen;
  };
  const content = (): (string | null)[] => fake.entries().map(({ value }) => value);
  const puts = (): number => fake.callsOf(PUT).length;
  const isSyncedAt = async (version: number): Promise<boolean> => {
    const [record] = await driver.records('db');
    return record?.sync_status === 'SYNCED' && record.synced_version === version;
  };
  const isClaimed = async (): Promise<boolean> =>
    (await sealift.context.db('associations').whereNotNull('lease_token')).length === 1;
  const hasLostItsLease = async (worker: SpawnedProcess): Promise<boolean> => {
    const metrics = await (await fetch(`${worker.healthUrl}/metrics`)).text();
    return /^sealift_sync_leases_lost_total\{[^}]*\} 1$/m.test(metrics);
  };

  // Freezes a worker while the store holds its call for version 2. Then writes version 3.
  const freezeInCall = async (): Promise<{ worker: SpawnedProcess; newest: number }> => {
    const worker = await spawn({});
    await worker.ready();
    fake.addFault({ kind: 'held', operation: PUT, times: 1 });
    await driver.write('db', { v: 2 });
    await eventually(() => puts() === 1);
    worker.pause();
    return { worker, newest: await driver.write('db', { v: 3 }) };
  };

  it('an older value that the store takes late from a frozen worker is replaced by the newest', async () => {
    const { worker, newest } = await freezeInCall();
    await sealift.start('second', cloud1Worker(fake));
    await eventually(() => isSyncedAt(newest));
    expect(content()).to.deep.equal(['{"v":3}']);
    fake.clearFaults();
    await eventually(() => expect(content()).to.deep.equal(['{"v":2}']));
    worker.resume();
    await eventually(() => hasLostItsLease(worker));
    await eventually(() => isSyncedAt(newest));
    expect(content()).to.deep.equal(['{"v":3}']);
    // Each newest value is written once more after the last moment in which an older call may arrive.
    expect(puts()).to.equal(5);
  });

  it('the newest value is written again when a frozen call ends before the next holder stores', async () => {
    const { worker, newest } = await freezeInCall();
    let goOn = (): void => undefined;
    const released = new Promise<void>((resolve) => (goOn = resolve));
    const checkpoint = (name: Checkpoint): Promise<void> =>
      name === 'after-call' ? released : Promise.resolve();
    await sealift.start('second', cloud1Worker(fake, { checkpoint }));
    await eventually(() => expect(content()).to.deep.equal(['{"v":3}']));
    fake.clearFaults();
    await eventually(() => expect(content()).to.deep.equal(['{"v":2}']));
    worker.resume();
    await eventually(() => hasLostItsLease(worker));
    goOn();
    await eventually(() => expect(content()).to.deep.equal(['{"v":3}']));
    await eventually(() => isSyncedAt(newest));
  });

  it('a worker frozen before its call makes none when it goes on', async () => {
    await freezeAt('after-claim', 0);
    expect(puts()).to.equal(2);
  });

  for (const checkpoint of ['after-call', 'before-store'] as const) {
    it(`a result frozen at ${checkpoint} counts for nothing, and what was written is written over`, async () => {
      await freezeAt(checkpoint, 1);
      expect(puts()).to.equal(5);
    });
  }

  it('a worker frozen while it stores its result holds up neither clients nor the next worker', async () => {
    const worker = await spawn({});
    await worker.ready();
    const lock = await sealift.context.db.transaction();
    await lock('entries').forUpdate();
    await driver.write('db', { v: 2 });
    // It already has the association's row and waits for the entry's row.
    await untilWaiting(sealift.context.db, 1);
    worker.pause();
    await lock.rollback();
    const newest = await driver.write('db', { v: 3 });
    await sealift.start('second', cloud1Worker(fake));
    await eventually(() => isSyncedAt(newest));
    worker.resume();
    await eventually(() => isSyncedAt(newest));
    expect(content()).to.deep.equal(['{"v":3}']);
  });

  // Freezes a worker at a checkpoint of its push of version 2, lets another worker push version 3, and resumes the first.
  async function freezeAt(checkpoint: Checkpoint, putsBefore: number): Promise<void> {
    await driver.write('db', { v: 2 });
    const worker = await spawn({ FAULT_CHECKPOINT: checkpoint, FAULT_NTH: '1', FAULT_SIGNAL: 'SIGSTOP' });
    // The worker has to start first.
    await eventually(isClaimed, { limitMs: 120_000 });
    await eventually(() => puts() === putsBefore);
    const newest = await driver.write('db', { v: 3 });
    await sealift.start('second', cloud1Worker(fake));
    await eventually(() => isSyncedAt(newest));
    worker.resume();
    await eventually(() => hasLostItsLease(worker));
    await eventually(() => isSyncedAt(newest));
    expect(content()).to.deep.equal(['{"v":3}']);
  }
});
