import { expect } from 'chai';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { untilWaiting } from '../support/lock-waits.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const SECRETS = Array.from({ length: 16 }, (_, index) => `app${index}`);
const RENEWED = { access_key_id: 'AKIARENEWED', secret_access_key: 'renewed' };
const THROTTLED = {
  kind: 'throttle',
  operation: 'CreateSecret',
  status: 429,
  retryAfterSeconds: 600,
} as const;
// Much shorter than the wait that the earlier failures would cause.
const SOON = { limitMs: 5000 };

describe('the repair of a destination', function () {
  let fake: Awaited<ReturnType<typeof startCloud1SmFake>>;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({
      environment: { SWEEP_INTERVAL: '200' },
      workers: { connector: cloud1Worker(fake) },
    });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
    await sealift.client.patch('/v1/sys/sync/config', { disabled: true });
    for (const secret of SECRETS) {
      await driver.write(secret, { v: 1 });
      await driver.associate(secret);
    }
  });

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  const begin = () => sealift.client.patch('/v1/sys/sync/config', { disabled: false });
  const all = async (status: string): Promise<boolean> => {
    const records = await driver.records();
    return records.length === SECRETS.length && records.every((record) => record.sync_status === status);
  };
  const beThrottled = async (): Promise<void> => {
    fake.addFault(THROTTLED);
    await begin();
    await eventually(() => all('THROTTLED'));
  };

  it('a destination is tried at once with new credentials, however often it failed', async () => {
    fake.revoke('AKIAEXAMPLEONE');
    await begin();
    await eventually(() => all('CLIENT_SIDE_ERROR'));
    expect((await driver.patch(RENEWED)).status).to.equal(200);
    await eventually(() => all('SYNCED'), SOON);
  });

  it('a destination is tried at once with the same credentials, once they are good again', async () => {
    fake.addFault({ kind: 'revoked' });
    await begin();
    await eventually(() => all('CLIENT_SIDE_ERROR'));
    fake.clearFaults();
    const { custom_tags: tags } = (await sealift.client.get(driver.path)).body.data.options;
    const { body: before } = await driver.patch({ custom_tags: tags ?? {} });
    expect(await all('CLIENT_SIDE_ERROR'), JSON.stringify(before)).to.equal(true);
    expect(
      (await driver.patch({ secret_access_key: cloud1Settings()['secret_access_key'] })).status,
    ).to.equal(200);
    await eventually(() => all('SYNCED'), SOON);
  });

  it('a destination is tried at once with new credentials, although the store asked to wait', async () => {
    await beThrottled();
    fake.clearFaults();
    expect((await driver.patch(RENEWED)).status).to.equal(200);
    await eventually(() => all('SYNCED'), SOON);
  });

  it('a destination is tried at once with a new key, although the store asked to wait', async () => {
    fake.addFault({ kind: 'held', operation: 'CreateSecret' });
    await begin();
    // All calls must be at the store: a push that had not yet opened its session would use the new key.
    await eventually(() => fake.calls().length === SECRETS.length);
    // The key id stays, so the destination keeps its container.
    fake.giveOut('AKIAEXAMPLEONE', 'renewed');
    expect((await driver.patch({ secret_access_key: 'renewed' })).status).to.equal(200);
    fake.clearFaults();
    fake.addFault({ ...THROTTLED, times: SECRETS.length });
    await eventually(() => all('SYNCED'), SOON);
  });

  it('a wait that is stored after the change was made does not hold the destination', async () => {
    fake.addFault({ kind: 'held', operation: 'CreateSecret' });
    await begin();
    await eventually(() => fake.calls().length === SECRETS.length);
    // Whoever holds the row keeps the change and then the results waiting, in this order.
    const holder = await sealift.context.db.transaction();
    await holder('destinations').forUpdate().select();
    fake.giveOut('AKIAEXAMPLEONE', 'renewed');
    const change = driver.patch({ secret_access_key: 'renewed' });
    await untilWaiting(sealift.context.db, 1);
    fake.clearFaults();
    fake.addFault({ ...THROTTLED, times: SECRETS.length });
    await untilWaiting(sealift.context.db, 2);
    await holder.rollback();
    expect((await change).status).to.equal(200);
    await eventually(() => all('SYNCED'), SOON);
  });

  it('a destination goes on waiting where the store asked for it and only its tags were changed', async () => {
    await beThrottled();
    fake.clearCalls();
    expect((await driver.patch({ custom_tags: { team: 'web' } })).status).to.equal(200);
    expect(await all('THROTTLED')).to.equal(true);
    expect(fake.calls()).to.deep.equal([]);
  });
});
