import { expect } from 'chai';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/google-secret-manager/connector.ts';
import { destination } from '../../services/connectors/google-secret-manager/destination.ts';
import { startCloud3SmFake, type Cloud3SmFake } from '../sandbox/google-secret-manager/fake.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

describe('the takeover of a foreign entry', () => {
  let fake: Cloud3SmFake;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startCloud3SmFake();
    sealift = await startSealift({
      environment: { SWEEP_INTERVAL: '100', RETRY_MIN: '50', CALL_TIMEOUT: '1500', LEASE: '4500' },
    });
    const environment: Record<string, string> = { CLOUD3_SM_API_URL: fake.url };
    await sealift.start('worker', (context) =>
      startConnectorWorker(context, { destination, connector }, { environment: (name) => environment[name] }),
    );
    driver = createSyncDriver(sealift, 'cloud3-sm', 'prod');
    await driver.configure({
      credentials: fake.createKey(),
      conflict_policy: 'overwrite',
      secret_name_template: '{{ .SecretPath }}',
    });
  });
  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('an entry that was taken over does not stay outside with our value', async () => {
    fake.plant({ name: 'db', value: 'theirs' });
    await driver.write('db', { v: 'ours' });
    // A value would arrive, but for a while nothing is confirmed.
    fake.addFault({ kind: 'error', operation: 'UpdateSecret', target: 'db' });
    fake.addFault({ kind: 'cut-after', operation: 'AddSecretVersion', target: 'db' });
    await driver.associate('db');
    await driver.settles('db', 'EXTERNAL_SERVICE_ERROR');
    await driver.patch({ secret_name_template: 'new-{{ .SecretPath }}' });
    await eventually(() => fake.entries().some(({ name }) => name === 'new-db'));
    fake.clearFaults();
    await driver.settles('db', 'SYNCED');
    const left = fake.entries().filter(({ value }) => value === '{"v":"ours"}');
    expect(left.map(({ name }) => name)).to.deep.equal(['new-db']);
  });
});
