import { expect } from 'chai';
import type { Connector, Destination } from '../../libs/connector/contract.ts';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector as azure } from '../../services/connectors/azure-key-vault/connector.ts';
import { destination as azureDestination } from '../../services/connectors/azure-key-vault/destination.ts';
import { connector as google } from '../../services/connectors/google-secret-manager/connector.ts';
import { destination as googleDestination } from '../../services/connectors/google-secret-manager/destination.ts';
import { connector as vercel } from '../../services/connectors/vercel-env/connector.ts';
import { destination as vercelDestination } from '../../services/connectors/vercel-env/destination.ts';
import { TENANT } from '../connectors/azure-key-vault/support.ts';
import { startCloud2KvFake } from '../sandbox/azure-key-vault/fake.ts';
import { startCloud3SmFake } from '../sandbox/google-secret-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { startHostingProjectFake } from '../sandbox/vercel-env/fake.ts';
import { eventually } from '../support/eventually.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

type Parts = { destination: Destination; connector: Connector };

describe('partial writes', () => {
  let fake: Fake | undefined;
  let sealift: Sealift;

  beforeEach(async () => {
    const environment = {
      EGRESS_ALLOW: '127.0.0.0/8,localhost',
      RETRY_MIN: '60',
      RETRY_MAX: '500',
      RECHECK_MIN: '500',
    };
    sealift = await startSealift({ environment });
  });

  afterEach(async () => {
    await sealift.stop();
    await fake?.close();
    fake = undefined;
  });

  async function play(
    parts: unknown,
    environment: Record<string, string>,
    settings: Record<string, unknown>,
  ): Promise<SyncDriver> {
    const { destination, connector } = parts as Parts;
    const options = { environment: (name: string) => environment[name] };
    await sealift.start('worker', (context) =>
      startConnectorWorker(context, { destination, connector }, options),
    );
    const driver = createSyncDriver(sealift, destination.type, 'prod');
    const answer = await driver.configure(settings);
    expect(answer.status, answer.text).to.equal(200);
    await driver.write('db', { v: 1 });
    await driver.associate('db');
    await driver.settles('db', 'SYNCED');
    return driver;
  }

  it('an entry is not SYNCED where a version was added and the older ones could not be destroyed', async () => {
    const store = await startCloud3SmFake();
    fake = store;
    const settings = {
      credentials: store.createKey(),
      destroy_old_versions: true,
      secret_name_template: '{{ .SecretPath }}',
    };
    const parts = { destination: googleDestination, connector: google };
    const driver = await play(parts, { CLOUD3_SM_API_URL: store.url }, settings);
    store.addFault({ kind: 'revoked', operation: ['DestroySecretVersion', 'ListSecretVersions'] });
    const version = await driver.write('db', { v: 2 });
    await driver.settles('db', 'CLIENT_SIDE_ERROR');
    expect(store.entries().map(({ value }) => value)).to.deep.equal(['{"v":2}']);
    store.clearFaults();
    // The wanted value is the earlier one again.
    await sealift.client.post('/v1/secret/delete/db', { versions: [version] });
    await eventually(() => expect(store.entries().map(({ value }) => value)).to.deep.equal(['{"v":1}']));
    await driver.settles('db', 'SYNCED');
  });

  it('an entry is not SYNCED where a secret was deleted and could not be purged', async () => {
    const store = await startCloud2KvFake();
    fake = store;
    const environment = {
      SEALIFT_AZURE_AUTHORITY_HOST: store.details?.['authority'] ?? '',
      NODE_EXTRA_CA_CERTS: store.details?.['ca'] ?? '',
    };
    const settings = {
      key_vault_uri: store.url,
      client_id: 'application',
      client_secret: 'a-client-secret',
      tenant_id: TENANT,
      purge_on_delete: true,
      secret_name_template: '{{ .SecretPath }}',
    };
    const driver = await play({ destination: azureDestination, connector: azure }, environment, settings);
    store.protectFromPurge();
    await sealift.client.delete('/v1/secret/data/db');
    await driver.settles('db', 'CLIENT_SIDE_ERROR');
    expect(store.entries()).to.deep.equal([]);
    await sealift.client.post('/v1/secret/undelete/db', { versions: [1] });
    await driver.settles('db', 'SYNCED');
    expect(store.entries().map(({ value }) => value)).to.deep.equal(['{"v":1}']);
  });

  it('an entry is not SYNCED where the environments of a variable have changed', async () => {
    const store = await startHostingProjectFake();
    fake = store;
    const settings = {
      access_token: 'vcp_valid',
      project_id: 'prj_web',
      deployment_environments: ['preview'],
      secret_name_template: '{{ .SecretPath }}_{{ .SecretKey }}',
    };
    const parts = { destination: vercelDestination, connector: vercel };
    const driver = await play(parts, { HOSTING_PROJECT_API_URL: store.url }, settings);
    const targets = (): unknown[] => store.entries().map(({ target }) => target);
    expect(targets()).to.deep.equal([['preview']]);
    await driver.patch({ deployment_environments: ['preview', 'production'] });
    await eventually(() => expect(targets()).to.deep.equal([['preview', 'production']]));
    await driver.settles('db', 'SYNCED');
    await driver.patch({ deployment_environments: ['production'] });
    await eventually(() => expect(targets()).to.deep.equal([['production']]));
    await driver.settles('db', 'SYNCED');
  });
});
