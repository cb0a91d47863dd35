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
    const [problem, ...others] = body.data.problems;
    expect(others).to.deep.equal([]);
    expect(problem.since).to.equal(second.opened_at);
    const { rows } = (await sealift.client.get(`${driver.path}/associations/rows`)).body.data;
    expect(problem.failing_since).to.equal(rows[0].since);
    expect(rows[0].since).to.equal(first.opened_at);
  });

  it('a link fails since the first time, also after credentials that are refused as well', async () => {
    fake.clearFaults();
    await driver.associate('one');
    await driver.settles('one', 'SYNCED');
    fake.addFault({ kind: 'revoked' });
    await driver.write('one', { v: 3 });
    const { opened_at: opened } = await openOf('credentials_refused');
    const attempts = async (): Promise<number> => {
      const { body } = await sealift.client.get(
        `${driver.path}/associations/history?mount=secret&secret_name=one`,
      );
      return body.data.history.length;
    };
    for (const secret of ['another-key', 'another-key']) {
      const before = await attempts();
      await driver.patch({ secret_access_key: secret });
      await eventually(async () => expect(await attempts()).to.be.above(before));
      await driver.settles('one', 'CLIENT_SIDE_ERROR');
      const { rows } = (await sealift.client.get(`${driver.path}/associations/rows`)).body.data;
      const { links } = (await sealift.client.get('/v1/sys/sync/links')).body.data;
      const { problems } = (await sealift.client.get('/v1/sys/sync/summary')).body.data;
      const times = [...rows, ...links, ...problems].map(({ since }: { since: string }) => since);
      expect(times).to.deep.equal([opened, opened, opened]);
    }
  });
});
