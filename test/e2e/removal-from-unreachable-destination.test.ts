import { expect } from 'chai';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/github-secrets/connector.ts';
import { destination } from '../../services/connectors/github-secrets/destination.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver } from '../support/sync-driver.ts';

describe('a destination that was never reached', () => {
  let sealift: Sealift;

  before(async () => {
    sealift = await startSealift({ environment: { EGRESS_ALLOW: '127.0.0.1', SWEEP_INTERVAL: '200' } });
    // The worker's EGRESS_ALLOW is stricter than the API's.
    await sealift.start('worker', (context) =>
      startConnectorWorker(
        { ...context, config: { ...context.config, EGRESS_ALLOW: '' } },
        { destination, connector },
      ),
    );
  });
  after(() => sealift.stop());

  it('a destination that was never reached lets go of a secret of which nothing is outside', async () => {
    const driver = createSyncDriver(sealift, 'repo-host', 'web');
    const answer = await driver.configure({
      access_token: 'ghp_valid',
      repository_owner: 'acme',
      repository_name: 'web',
      enterprise_url: 'https://127.0.0.1:9',
    });
    expect(answer.status, answer.text).to.equal(200);
    await driver.write('app', { PASSWORD: 'one' });
    await driver.associate('app');
    const [record] = await driver.settles('app', 'CLIENT_SIDE_ERROR');
    expect(record?.cause?.code).to.equal('egress_refused');
    await driver.dissociate('app');
    await eventually(async () => (await driver.records()).length === 0);
    expect((await sealift.client.delete(driver.path)).status).to.equal(204);
  });
});
