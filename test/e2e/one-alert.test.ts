import { expect } from 'chai';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { runNow, startMaintenance } from '../key-maintenance/support.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

const NAMES = ['one', 'two', 'three'];

describe('alerts of a destination that fails as a whole', () => {
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ environment: SHORT_LIMITS });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
    await sealift.start('connector', cloud1Worker(fake));
    const rule = { addresses: ['bo@example.com'], minutes: 1, resolved: true };
    const answer = await sealift.client.post('/v1/sys/alerts/on-call', rule);
    expect(answer.status, answer.text).to.equal(200);
    for (const name of NAMES) {
      await driver.write(name, { v: 1 });
      await driver.associate(name);
      await driver.settles(name, 'SYNCED');
    }
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('one alert tells all links that fail and wait, and one the end of all', async () => {
    const services = await startMaintenance(sealift);
    const alertsNow = async (): Promise<unknown[]> => {
      await runNow(services, 'notify', { now: new Date(Date.now() + 90_000) });
      const rows = await services.db('notifications').orderBy('happened_at').select('kind', 'data');
      return rows.map(({ kind, data: { total } }) => `${kind} ${total}`);
    };
    fake.addFault({ kind: 'revoked' });
    for (const name of NAMES) await driver.write(name, { v: 2 });
    for (const name of NAMES) await driver.settles(name, 'CLIENT_SIDE_ERROR');
    expect(await alertsNow()).to.deep.equal(['associations.failing 3']);
    // Each is tried in turn and fails by itself, and none is alertsNow again.
    for (const name of NAMES) {
      await driver.associate(name);
      await eventually(async () => {
        const { body } = await sealift.client.get(
          `${driver.path}/associations/history?mount=secret&secret_name=${name}`,
        );
        return body.data.history.length > 1;
      });
      expect(await alertsNow()).to.deep.equal(['associations.failing 3']);
    }

    fake.clearFaults();
    for (const name of NAMES) await driver.associate(name);
    for (const name of NAMES) await driver.settles(name, 'SYNCED');
    expect(await alertsNow()).to.deep.equal(['associations.failing 3', 'associations.resolved 3']);
  });
});
