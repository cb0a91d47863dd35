import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startConnectorWorker } from '../../../libs/sync/worker.ts';
import { connector } from '../../../services/connectors/aws-secrets-manager/connector.ts';
import { destination } from '../../../services/connectors/aws-secrets-manager/destination.ts';
import type { Answer } from '../../support/client.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';
import { destinationPath, expectOk, expectRefused, putSecret, repository, set } from './support.ts';

const GITHUB = { ...repository, enterprise_url: 'https://github.one.example' };
const AZURE = {
  key_vault_uri: 'https://one.vault.azure.net',
  client_id: 'application',
  client_secret: 'a-client-secret',
  tenant_id: 'one.example',
};

describe('credentials of a destination', () => {
  let sealift: Sealift;
  let directory: string;

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sealift-credentials-'));
    process.env['CREDENTIALS_DIR'] = directory;
    sealift = await startSealift({ environment: { CREDENTIALS_DIR: directory } });
    for (const namespace of ['team', 'other']) await sealift.client.post(`/v1/sys/namespaces/${namespace}`);
  });
  after(async () => {
    delete process.env['CREDENTIALS_DIR'];
    await sealift.stop();
    await rm(directory, { recursive: true });
  });

  const patch = (type: string, body: object): Promise<Answer> =>
    sealift.client.patch(destinationPath('x', type), body, {
      headers: { 'content-type': 'application/merge-patch+json' },
    });

  for (const [type, body, secret, changes] of [
    [
      'repo-host',
      GITHUB,
      'access_token',
      [
        { enterprise_url: 'https://github.two.example' },
        { enterprise_url: 'https://github.one.example:8443' },
        { enterprise_url: null },
      ],
    ],
    [
      'cloud2-kv',
      AZURE,
      'client_secret',
      [
        { key_vault_uri: 'https://two.vault.azure.net' },
        { tenant_id: 'two.example' },
        { key_vault_uri: 'https://one.vault.azure.cn', cloud: 'AzureChinaCloud' },
      ],
    ],
  ] as const) {
    it(`credentials of ${type} are not kept for another address`, async () => {
      expectOk(await sealift.client.post(destinationPath('x', type), body));
      for (const change of changes) {
        expect(expectRefused(await patch(type, change), 400), JSON.stringify(change)).to.contain(secret);
        const masked = { ...body, ...change, [secret]: '*****' };
        expect(expectRefused(await sealift.client.post(destinationPath('x', type), masked), 400)).to.contain(
          secret,
        );
        expectOk(await patch(type, { ...change, [secret]: 'another-secret' }));
        expectOk(await sealift.client.post(destinationPath('x', type), body));
      }
    });
  }

  it('credentials are kept for another spelling of the same address', async () => {
    expectOk(await sealift.client.post(destinationPath('x', 'repo-host'), GITHUB));
    for (const enterprise_url of ['https://GITHUB.one.example/', 'https://github.one.example:443'])
      expectOk(await patch('repo-host', { enterprise_url }));
  });

  it("the worker's own credentials serve the root namespace only by default", async () => {
    expectOk(await sealift.client.post(destinationPath('own'), { region: 'eu-west-1' }));
    const answer = await sealift.client.post(
      destinationPath('own'),
      { region: 'eu-west-1' },
      { namespace: 'team' },
    );
    expect(expectRefused(answer, 400)).to.contain('AMBIENT_CREDENTIALS');
  });

  it("the worker's own credentials serve no other namespace where the API let it pass before", async () => {
    const context = {
      ...sealift.context,
      config: { ...sealift.config, AMBIENT_CREDENTIALS: 'none' as const },
    };
    const worker = await sealift.start('worker', (own) =>
      startConnectorWorker({ ...own, config: context.config }, { destination, connector }),
    );
    expectOk(await sealift.client.post(destinationPath('own'), { region: 'eu-west-1' }));
    const { body } = await sealift.client.post(`${destinationPath('own')}/check`);
    expect(body.data.cause).to.include({ class: 'CLIENT_SIDE_ERROR', code: 'ambient_not_allowed' });
    await worker.stop();
  });

  it('credentials in files are taken from the folder named like the namespace', async () => {
    await mkdir(join(directory, 'team'));
    await writeFile(join(directory, 'team', 'key.json'), '{}');
    const make = (credentials: string, namespace: string): Promise<Answer> =>
      sealift.client.post(destinationPath('file', 'cloud3-sm'), { credentials }, { namespace });
    expectOk(await make('@key.json', 'team'));
    for (const path of ['@../other/key.json', `@${join(directory, 'team', 'key.json')}`])
      expect(expectRefused(await make(path, 'other'), 400)).to.contain('CREDENTIALS_DIR');
    const rows = await sealift.context.db('destinations').where({ name: 'file' }).select('container');
    expectOk(await make('@key.json', 'other'));
    const places = await sealift.context.db('destinations').where({ name: 'file' }).select('container');
    expect(new Set(places.map(({ container }) => container)).size).to.equal(rows.length + 1);
  });

  it('an environment of a GitHub repository is meant by its name, in either location', async () => {
    for (const secrets_location of ['repository', 'environment']) {
      const where = { secrets_location, environment_name: 'production' };
      const answer = await sealift.client.post(destinationPath(secrets_location, 'repo-host'), {
        ...repository,
        ...where,
      });
      expect(answer.status, answer.text).to.equal(200);
      expect(answer.body.data.connection_details).to.include(where);
    }
    const unnamed = { ...repository, secrets_location: 'environment' };
    expect(
      expectRefused(await sealift.client.post(destinationPath('unnamed', 'repo-host'), unnamed), 400),
    ).to.contain('environment_name');
  });

  it('the cloud of Azure reads back as chosen, and choosing the usual one changes nothing', async () => {
    const path = destinationPath('azure', 'cloud2-kv');
    await sealift.client.post(path, AZURE);
    await putSecret(sealift.client, 'app/db');
    expectOk(await set(sealift.client, path, 'app/db'));
    const { body } = await sealift.client.post(path, { ...AZURE, cloud: 'cloud' });
    expect(body.data.connection_details.cloud).to.equal('cloud');
    expectOk(await sealift.client.post(path, AZURE));
    const elsewhere = { ...AZURE, cloud: 'AzureChinaCloud', key_vault_uri: 'https://example.vault.azure.cn' };
    expectRefused(await sealift.client.post(path, elsewhere), 400);
  });
});
