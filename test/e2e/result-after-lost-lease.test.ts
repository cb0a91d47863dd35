import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

describe('a result that comes after its lease was lost', () => {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;
  let driver: SyncDriver;
  let goOn = (): void => undefined;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: { CALL_TIMEOUT: '1000', LEASE: '3000', SWEEP_INTERVAL: '200', RETRY_MIN: '60' },
    });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure({ ...cloud1Settings(), secret_name_template: '{{ .SecretPath }}' });
  });

  afterEach(async () => {
    goOn();
    await sealift.stop();
    await fake.close();
  });

  it('a result that comes after its lease ended makes the entry uncertain once more', async () => {
    let isResting = false;
    let rests = false;
    const rest = new Promise<void>((resolve) => (goOn = resolve));
    const checkpoint = async (name: string): Promise<void> => {
      if (!rests || isResting || name !== 'after-call') return;
      isResting = true;
      await rest;
    };
    await sealift.start('first', cloud1Worker(fake, { checkpoint }));
    await driver.write('app', { is: 'first' });
    await driver.associate('app');
    await driver.settles('app', 'SYNCED');
    rests = true;
    await driver.write('app', { is: 'again' });
    await eventually(() => isResting);
    await sealift.start('second', cloud1Worker(fake));
    await driver.settles('app', 'SYNCED');
    goOn();
    await eventually(async () => (await driver.records('app')).every((one) => one.sync_status === 'SYNCING'));
    await driver.settles('app', 'SYNCED');
    expect(fake.entries().map(({ value }) => value)).to.deep.equal(['{"is":"again"}']);
  });
});
