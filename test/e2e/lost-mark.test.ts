import { expect } from 'chai';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector } from '../../services/connectors/azure-key-vault/connector.ts';
import { destination } from '../../services/connectors/azure-key-vault/destination.ts';
import { TENANT } from '../connectors/azure-key-vault/support.ts';
import { startCloud2KvFake } from '../sandbox/azure-key-vault/fake.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

describe('an entry whose mark somebody took away', () => {
  let fake: Awaited<ReturnType<typeof startCloud2KvFake>>;
  let sealift: Sealift;
  let driver: SyncDriver;

  beforeEach(async () => {
    fake = await startCloud2KvFake();
    const environment: Record<string, string | undefined> = {
      SEALIFT_AZURE_AUTHORITY_HOST: fake.details?.['authority'],
      NODE_EXTRA_CA_CERTS: fake.details?.['ca'],
    };
    sealift = await startSealift({ environment: { EGRESS_ALLOW: '127.0.0.0/8,localhost' } });
    await sealift.start('worker', (context) =>
      startConnectorWorker(context, { destination, connector }, { environment: (key) => environment[key] }),
    );
    driver = createSyncDriver(sealift, destination.type, 'prod');
    // Within that time, no write asks whose the entry is.
    const settings = { key_vault_uri: fake.url, client_id: 'application', client_secret: 'a-client-secret' };
    await driver.configure({ ...settings, tenant_id: TENANT, owner_check_seconds: 3600 });
    await driver.write('db', { v: 'one' });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
  });

  afterEach(async () => {
    await sealift.stop();
    await fake.close();
  });

  it('a version that is saved once that is known leaves it as it is', async () => {
    const [known] = fake.entries();
    fake.plant({ name: known?.name ?? '', value: 'of somebody else' });
    const body = { mount: 'secret', secret_name: 'db' };
    await sealift.client.post(`${driver.path}/associations/verify`, body);
    const [record] = await driver.settles('db', 'DRIFTED');
    expect(record?.drift).to.include({ code: 'changed_outside', foreign: true });
    await driver.write('db', { v: 'two' });
    await eventually(async () => {
      const [found] = await driver.records('db');
      return expect(found?.cause?.code).to.equal('conflict');
    });
    expect(fake.entries()[0]?.value).to.equal('of somebody else');
  });
});
