import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const SWAPPED =
  '{{ .SecretPath | replace "left" "middle" | replace "right" "left" | replace "middle" "right" }}';

describe('a result that comes after its lease was lost', function () {
  this.timeout(90_000);
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

  it('a result that comes after its name went to another secret makes the name uncertain', async () => {
    let isResting = false;
    let rests = false;
    const rest = new Promise<void>((resolve) => (goOn = resolve));
    const step = async (at: string): Promise<void> => {
      if (!rests || isResting || at !== 'after-call') return;
      isResting = true;
      await rest;
    };
    await sealift.start('first', cloud1Worker(fake, { step }));
    for (const secret of ['left', 'right']) {
      await driver.write(secret, { is: secret });
      await driver.associate(secret);
      await driver.settles(secret, 'SYNCED');
    }
    rests = true;
    await driver.write('left', { is: 'left again' });
    await eventually(() => isResting);
    await sealift.start('second', cloud1Worker(fake));
    await driver.settles('left', 'SYNCED', 20_000);
    await driver.patch({ secret_name_template: SWAPPED });
    const valueOf = (name: string) => fake.entries().find((entry) => entry.name === name)?.value;
    await eventually(
      () => valueOf('left') === '{"is":"right"}' && valueOf('right') === '{"is":"left again"}',
      {
        limitMs: 20_000,
      },
    );
    await driver.settles('right', 'SYNCED', 20_000);
    goOn();
    await eventually(async () =>
      (await driver.records('right')).every((one) => one.sync_status === 'SYNCING'),
    );
    await driver.settles('right', 'SYNCED', 20_000);
  });
});
