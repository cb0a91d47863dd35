import { expect } from 'chai';
import type { Connector, Destination } from '../../libs/connector/contract.ts';
import { startConnectorWorker } from '../../libs/sync/worker.ts';
import { connector as aws } from '../../services/connectors/aws-secrets-manager/connector.ts';
import { destination as awsType } from '../../services/connectors/aws-secrets-manager/destination.ts';
import { connector as azure } from '../../services/connectors/azure-key-vault/connector.ts';
import { destination as azureType } from '../../services/connectors/azure-key-vault/destination.ts';
import { connector as google } from '../../services/connectors/google-secret-manager/connector.ts';
import { destination as googleType } from '../../services/connectors/google-secret-manager/destination.ts';
import { connector as github } from '../../services/connectors/github-secrets/connector.ts';
import { destination as githubType } from '../../services/connectors/github-secrets/destination.ts';
import { TENANT } from '../connectors/azure-key-vault/support.ts';
import { startCloud1SmFake } from '../sandbox/aws-secrets-manager/fake.ts';
import { startCloud2KvFake } from '../sandbox/azure-key-vault/fake.ts';
import { startCloud3SmFake } from '../sandbox/google-secret-manager/fake.ts';
import type { Fake } from '../sandbox/contract.ts';
import { startRepoHostFake } from '../sandbox/github-secrets/fake.ts';
import { eventually } from '../support/eventually.ts';
import { cloud1Environment, cloud1Settings } from '../support/sandboxed.ts';
import { startSealift, type Sealift } from '../support/sealift.ts';
import { createSyncDriver, type SyncDriver } from '../support/sync-driver.ts';

type Store = {
  parts: unknown;
  fake: Fake;
  environment: Record<string, string>;
  settings: Record<string, unknown>;
  /** The credential that the stand-in can be told to accept later. */
  credential?: string;
};

const STORES: Record<string, () => Promise<Store>> = {
  AWS: async () => {
    const fake = await startCloud1SmFake();
    const parts = { destination: awsType, connector: aws };
    return { parts, fake, environment: cloud1Environment(fake), settings: cloud1Settings() };
  },
  Azure: async () => {
    const fake = await startCloud2KvFake();
    const environment = {
      SEALIFT_AZURE_AUTHORITY_HOST: fake.details?.['authority'] ?? '',
      NODE_EXTRA_CA_CERTS: fake.details?.['ca'] ?? '',
    };
    const settings = {
      key_vault_uri: fake.url,
      client_id: 'application',
      client_secret: 'a-client-secret',
      tenant_id: TENANT,
      secret_name_template: '{{ .SecretPath }}',
    };
    const parts = { destination: azureType, connector: azure };
    return { parts, fake, environment, settings, credential: settings.client_secret };
  },
  Google: async () => {
    const fake = await startCloud3SmFake();
    const settings = { credentials: fake.createKey(), secret_name_template: '{{ .SecretPath }}' };
    const parts = { destination: googleType, connector: google };
    const environment = { CLOUD3_SM_API_URL: fake.url };
    const { private_key_id: credential } = JSON.parse(settings.credentials) as { private_key_id: string };
    return { parts, fake, environment, settings, credential };
  },
  GitHub: async () => {
    const fake = await startRepoHostFake();
    const settings = { access_token: 'ghp_valid', repository_owner: 'acme', repository_name: 'web' };
    const parts = { destination: githubType, connector: github };
    return { parts, fake, environment: { REPO_HOST_API_URL: fake.url }, settings };
  },
};

describe('a repair outside of Sealift', () => {
  let store: Store;
  let sealift: Sealift;
  let driver: SyncDriver;

  afterEach(async () => {
    await sealift.stop();
    await store.fake.close();
  });

  async function play(name: string, recheckMs: number): Promise<void> {
    const open = STORES[name];
    if (!open) throw new Error(`no store ${name}`);
    store = await open();
    const { destination, connector } = store.parts as { destination: Destination; connector: Connector };
    sealift = await startSealift({
      environment: {
        EGRESS_ALLOW: '127.0.0.0/8,localhost',
        RECHECK_MIN: String(recheckMs),
        SWEEP_INTERVAL: '100',
      },
    });
    await sealift.start('worker', (context) =>
      startConnectorWorker(
        context,
        { destination, connector },
        { environment: (key) => store.environment[key] },
      ),
    );
    driver = createSyncDriver(sealift, destination.type, 'prod');
    expect((await driver.configure(store.settings)).status).to.equal(200);
  }

  for (const name of Object.keys(STORES)) {
    it(`no action here is needed when ${name} refuses credentials at first and accepts them later`, async () => {
      await play(name, 300);
      store.fake.addFault({ kind: 'revoked' });
      await driver.write('db', { v: 'one' });
      await driver.associate('db');
      // At the moment of an attempt, none is planned.
      await eventually(async () => {
        const [record] = await driver.settles('db', 'CLIENT_SIDE_ERROR');
        return expect(record?.next_attempt_at).to.be.a('string');
      });
      store.fake.clearFaults();
      await driver.settles('db', 'SYNCED');
      expect(store.fake.entries()).to.have.length(1);
    });
  }

  for (const name of ['Azure', 'Google']) {
    it(`no action here is needed when ${name} takes new credentials only after a while`, async () => {
      await play(name, 300);
      store.fake.acceptAfter(store.credential ?? '', 4000);
      await driver.write('db', { v: 'one' });
      await driver.associate('db');
      const [record] = await driver.settles('db', 'CLIENT_SIDE_ERROR');
      expect(record?.cause?.code).to.equal('credentials_refused');
      expect(store.fake.entries()).to.deep.equal([]);
      await driver.settles('db', 'SYNCED');
      expect(store.fake.entries()).to.have.length(1);
    });
  }

  const isEach = (status: string) => async (): Promise<boolean> =>
    (await driver.records()).every((record) => record.sync_status === status);

  const openIncidents = async (): Promise<unknown[]> =>
    (await sealift.client.get('/v1/sys/sync/incidents?open=true')).body.data.incidents as unknown[];

  const associate = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number += 1) {
      await driver.write(`s${number}`, { v: 'one' });
      const body = { mount: 'secret', secret_name: `s${number}` };
      await sealift.client.post(`${driver.path}/associations/set`, body, {
        headers: { prefer: 'respond-async' },
      });
    }
  };

  it('one association of a destination looks for a repair, not each', async () => {
    await play('AWS', 1500);
    store.fake.addFault({ kind: 'revoked' });
    await sealift.client.patch('/v1/sys/sync/config', { disabled: true });
    await associate(60);
    await sealift.client.patch('/v1/sys/sync/config', { disabled: false });
    const failing = async (): Promise<true> => {
      const records = await driver.records();
      expect(records).to.have.length(60);
      for (const record of records) {
        expect(record.sync_status).to.equal('CLIENT_SIDE_ERROR');
        expect(record.cause?.code).to.equal('credentials_refused');
        expect(record.next_attempt_at).to.be.a('string');
      }
      return true;
    };
    await eventually(failing);
    store.fake.clearCalls();
    // The first retry comes after about 1.5 s, the second one 3 s later.
    await eventually(() => store.fake.calls().length >= 2);
    expect(store.fake.calls().length).to.be.at.most(4);
    await eventually(failing);
    store.fake.clearFaults();
    await eventually(isEach('SYNCED'));
  });

  it('a check that succeeds ends the wait for a repair at once', async () => {
    await play('AWS', 600_000);
    store.fake.addFault({ kind: 'revoked' });
    await associate(5);
    await eventually(isEach('CLIENT_SIDE_ERROR'));
    store.fake.clearFaults();
    const checked = await sealift.client.post(`${driver.path}/check`);
    expect(checked.body.data).to.include({ ok: true, cause: null });
    await eventually(isEach('SYNCED'));
  });

  it('a secret that is set again ends the wait for a repair at once', async () => {
    await play('AWS', 600_000);
    store.fake.addFault({ kind: 'revoked' });
    await associate(5);
    await eventually(isEach('CLIENT_SIDE_ERROR'));
    store.fake.clearFaults();
    await driver.associate('s3');
    await eventually(isEach('SYNCED'));
  });

  it('a try that somebody asks for makes the next wait no longer', async () => {
    await play('AWS', 60_000);
    store.fake.addFault({ kind: 'revoked' });
    await associate(1);
    await driver.settles('s0', 'CLIENT_SIDE_ERROR');
    for (let time = 0; time < 3; time += 1) {
      store.fake.clearCalls();
      await driver.associate('s0');
      await eventually(() => store.fake.calls().length > 0);
      const [record] = await driver.settles('s0', 'CLIENT_SIDE_ERROR');
      expect(Date.parse(record?.next_attempt_at ?? '') - Date.now()).to.be.within(30_000, 73_000);
    }
  });

  it('a link set again while credentials are refused says so, although its value needs no call', async () => {
    await play('AWS', 600_000);
    await associate(12);
    await eventually(isEach('SYNCED'));
    store.fake.addFault({ kind: 'revoked' });
    await driver.patch({ allowed_ports: [Number(new URL(store.fake.url).port)] });
    // None is called in sync before the store has answered the one that was tried.
    await eventually(isEach('CLIENT_SIDE_ERROR'));
    for (const again of ['s0', 's1', 's2']) await driver.associate(again);
    await eventually(isEach('CLIENT_SIDE_ERROR'));
    expect(await openIncidents()).to.have.length(1);
    store.fake.clearFaults();
    await driver.associate('s1');
    await eventually(isEach('SYNCED'));
    expect((await sealift.client.get('/v1/sys/sync/summary')).body.data.problems).to.deep.equal([]);
    await eventually(async () => (await openIncidents()).length === 0);
  });

  it('a sync that was asked for while credentials were refused still looks once others are there', async () => {
    await play('AWS', 600_000);
    await associate(1);
    await driver.settles('s0', 'SYNCED');
    const [entry] = store.fake.entries();
    store.fake.addFault({ kind: 'revoked' });
    await driver.associate('s0');
    await driver.settles('s0', 'CLIENT_SIDE_ERROR');
    store.fake.plant({ name: 's0', ...entry, value: 'changed by somebody meanwhile' });
    store.fake.clearFaults();
    await driver.patch({ allowed_ports: [Number(new URL(store.fake.url).port)] });
    await driver.settles('s0', 'SYNCED');
    expect(store.fake.entries()[0]?.value).to.equal(entry?.value);
  });

  it('credentials that may write and not read end the incident of refused ones all the same', async () => {
    await play('AWS', 600_000);
    await associate(1);
    await eventually(isEach('SYNCED'));
    store.fake.addFault({ kind: 'revoked' });
    await driver.patch({ allowed_ports: [Number(new URL(store.fake.url).port)] });
    await eventually(isEach('CLIENT_SIDE_ERROR'));
    store.fake.clearFaults();
    store.fake.addFault({ kind: 'error', operation: 'GetSecretValue', code: 'AccessDeniedException' });
    await driver.associate('s0');
    await eventually(isEach('SYNCED'));
    await eventually(async () => (await openIncidents()).length === 0);
  });

  it('a changed secret looks for a repair, though not each change does', async () => {
    await play('AWS', 600_000);
    store.fake.addFault({ kind: 'revoked' });
    await associate(2);
    await eventually(isEach('CLIENT_SIDE_ERROR'));
    store.fake.clearCalls();
    for (let version = 2; version < 12; version += 1) await driver.write('s0', { v: version });
    expect(store.fake.calls().length).to.be.at.most(1);
    store.fake.clearFaults();
    const isSynced = async () => (await driver.records()).every((one) => one.sync_status === 'SYNCED');
    const isSyncedAfterChange = async (): Promise<boolean> => {
      await driver.write('s0', { v: 'fixed' });
      return eventually(isSynced, { limitMs: 2000 });
    };
    await eventually(isSyncedAfterChange, { everyMs: 500 });
  });

  it('each entry looks for its own repair where only one entry is refused', async () => {
    await play('AWS', 400);
    await associate(2);
    await eventually(isEach('SYNCED'));
    store.fake.addFault({
      kind: 'error',
      operation: 'PutSecretValue',
      target: 's0',
      code: 'AccessDeniedException',
    });
    await driver.write('s0', { v: 'two' });
    await driver.settles('s0', 'CLIENT_SIDE_ERROR');
    // None is named while one is under way.
    await eventually(async () => expect((await driver.records('s0'))[0]?.next_attempt_at).to.be.a('string'));
    await driver.write('s1', { v: 'two' });
    await driver.settles('s1', 'SYNCED');
    store.fake.clearFaults();
    await driver.settles('s0', 'SYNCED');
  });
});
