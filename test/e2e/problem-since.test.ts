import { expect } from 'chai';
import type { IncidentAnswer } from '../../services/api/contract/summary.ts';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings, cloud1Worker } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

describe('since when a problem is', () => {
  let fake: Fake;
  let sealift: Sealift;
  let driver: SyncDriver;

  before(async () => {
    fake = await startCloud1SmFake();
    sealift = await startSealift({ environment: SHORT_LIMITS });
    driver = createSyncDriver(sealift, 'cloud1-sm', 'prod');
    await driver.configure(cloud1Settings());
    await sealift.start('connector', cloud1Worker(fake));
  });
  after(async () => {
    await sealift.stop();
    await fake.close();
  });

  const openOf = (code: string): Promise<IncidentAnswer> =>
    eventually(async () => {
      const { body } = await sealift.client.get(`/v1/sys/sync/incidents?open=true&cause=${code}`);
      return body.data.incidents[0];
    });

  it('the summary says what the incident says, also after another cause before', async () => {
    await driver.write('one', { v: 1 });
    await driver.associate('one');
    await driver.settles('one', 'SYNCED');
    fake.addFault({ kind: 'error', status: 500, operation: 'PutSecretValue' });
    await driver.write('one', { v: 2 });
    const first = await openOf('store_failed');
    fake.clearFaults();
    fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
    await driver.associate('one');
    const second = await openOf('permission_missing');
    expect(String(second.opened_at) > String(first.opened_at)).to.equal(true);
    const { body } = await sealift.client.get('/v1/sys/sync/summary');
    expect(body.data.problems.map(({ since }: { since: string }) => since)).to.deep.equal([second.opened_at]);
  });
});
