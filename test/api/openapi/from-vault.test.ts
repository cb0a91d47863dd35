import { execFile } from 'node:child_process';
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from '../../../deploy/local/root.ts';
import { cloud1Worker, openCloud1Scene, type Cloud1Scene } from '../../support/sandboxed.ts';
import { eventually } from '../../support/eventually.ts';
import { startSealift, type Sealift } from '../../support/sealift.ts';

const run = promisify(execFile);
const POLICY = '# read only\npath "secret/data/app/*" {\n  capabilities = ["read"]\n}\n';
const page = readFileSync(join(projectRoot, 'docs/from-vault.md'), 'utf8');
const blocks = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);

const LONG = '12345678901234567890';
const ODD_NAMES = ['app/deep/er/mail', 'app/with a blank', 'app/50%', 'app/what?'];
const pathOf = (name: string): string =>
  `/v1/secret/data/${name.split('/').map(encodeURIComponent).join('/')}`;

// A second installation plays the Vault server.
describe('the page for those who come from Vault', () => {
  let old: Sealift;
  let scene: Cloud1Scene;

  before(async () => {
    old = await startSealift();
    scene = await openCloud1Scene();
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await old.client.post('/v1/sys/policies/acl/app', { policy: POLICY });
    await old.client.post('/v1/secret/data/app/db', { data: { user: 'app', port: 5432 } });
    for (const name of ODD_NAMES)
      await old.client.post(pathOf(name), undefined, { raw: `{"data":{"at":${LONG}}}` });
    await old.client.post('/v1/secret/data/app/gone', { data: { user: 'gone' } });
    await old.client.delete('/v1/secret/data/app/gone');
    await old.client.post('/v1/secret/data/other', { data: { user: 'of another folder' } });
  });

  after(async () => {
    await scene.close();
    await old.stop();
  });

  it('the worked example moves a policy, a secret and a folder, and syncs the secret', async () => {
    const { sealift } = scene;
    const environment = {
      PATH: process.env['PATH'] ?? '',
      OLD_ADDR: old.url,
      OLD_TOKEN: old.token,
      VAULT_ADDR: sealift.url,
      VAULT_TOKEN: sealift.token,
    };
    expect(blocks).to.have.length(5);
    const outputs: string[] = [];
    for (const block of blocks)
      outputs.push(
        (await run('bash', ['-eo', 'pipefail', '-c', block], { env: environment, timeout: 15_000 })).stdout,
      );
    expect(outputs[2]?.trim().split('\n')).to.have.members([
      'app/db: left out, it is here already',
      'app/gone: left out, its newest version is deleted',
      ...ODD_NAMES.map((name) => `${name}: copied`),
    ]);
    for (const name of ODD_NAMES) expect((await sealift.client.get(pathOf(name))).text).to.contain(LONG);
    expect((await sealift.client.get('/v1/secret/data/other')).status).to.equal(404);
    const policy = await sealift.client.get('/v1/sys/policies/acl/app');
    expect(policy.body.data.policy).to.equal(POLICY);
    const made = await sealift.client.post('/v1/auth/token/create', { policies: ['app'] });
    const token = made.body.auth.client_token;
    const read = await sealift.client.get('/v1/secret/data/app/db', { token });
    expect(read.body.data.data).to.deep.equal({ user: 'app', port: 5432 });
    expect((await sealift.client.post('/v1/secret/data/app/db', { data: {} }, { token })).status).to.equal(
      403,
    );
    await eventually(() => scene.fake.entries().some(({ name }) => name === 'vault/app/db'));
  });
});
