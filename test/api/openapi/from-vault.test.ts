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
  });

  after(async () => {
    await scene.close();
    await old.stop();
  });

  it('the worked example moves a policy and a secret, and syncs it', async () => {
    const { sealift } = scene;
    const environment = {
      PATH: process.env['PATH'] ?? '',
      OLD_ADDR: old.url,
      OLD_TOKEN: old.token,
      VAULT_ADDR: sealift.url,
      VAULT_TOKEN: sealift.token,
    };
    expect(blocks).to.have.length(4);
    for (const block of blocks)
      await run('bash', ['-eo', 'pipefail', '-c', block], { env: environment, timeout: 15_000 });
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
