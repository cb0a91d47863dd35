import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startApiServer } from '../api/auth/api-server.ts';
import { makeAuthority } from '../api/auth/authority.ts';
import { makeCluster } from '../api/auth/cluster.ts';
import { startKeyMaintenance } from '../../services/key-maintenance/start.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('auth methods in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ EGRESS_ALLOW: '127.0.0.1' });
    await scene.sealift.start('key-maintenance', startKeyMaintenance);
    const policy = 'path "secret/data/app/*" { capabilities = ["read"] }';
    await scene.sealift.client.post('/v1/sys/policies/acl/app-reader', { policy });
  });

  after(() => scene.close());

  const enable = async (page: Page, type: string, path: string): Promise<void> => {
    await page.goto(`${scene.url}access/auth-methods`);
    await page.getByRole('button', { name: 'Enable a method' }).click();
    await page.getByLabel('Type').selectOption({ label: type });
    await page.getByRole('textbox', { name: 'Path' }).fill(path);
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByRole('heading', { name: `${path}/` }).waitFor();
  };
  const confirm = async (page: Page, action: string): Promise<void> => {
    await page.getByLabel('Your token').fill(scene.sealift.token);
    await page.getByRole('button', { name: action, exact: true }).click();
  };
  const makeRole = async (page: Page, name: string): Promise<void> => {
    await page.getByRole('button', { name: 'Create a role' }).click();
    await page.getByRole('textbox', { name: 'Role', exact: true }).fill(name);
    await page.getByRole('combobox', { name: 'Token policies' }).click();
    await page.getByRole('option', { name: 'app-reader' }).click();
  };

  it('a machine logs in with a role and a secret id that were made in the console', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    await enable(page, 'AppRole', 'machines');
    await makeRole(page, 'web');
    await page.getByText('More settings').click();
    await page.getByLabel('Token TTL').fill('15m');
    expect(await findBarriers(page)).to.deep.equal([]);
    await confirm(page, 'Create role');
    await page.getByRole('heading', { name: 'web', exact: true }).waitFor();
    const shownAs = (title: string) => page.locator(`dt:text-is("${title}") + dd`);
    const roleId = await shownAs('Role ID').innerText();
    expect(await shownAs('Token TTL').innerText()).to.equal('15 minutes');
    expect(await shownAs('Uses of a secret ID').innerText()).to.equal('Unlimited');
    await shownAs('Token policies').getByRole('link', { name: 'app-reader' }).waitFor();
    await page.getByRole('button', { name: 'Create a secret ID' }).click();
    await page.getByLabel('Uses', { exact: true }).fill('3');
    await confirm(page, 'Create secret ID');
    await page.getByText('Copy it now').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    const secretId = await page.getByRole('dialog').locator('[translate="no"]').innerText();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByText('Close without copying the secret ID?').waitFor();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    expect(await page.content()).to.not.include(secretId);

    const proof = { role_id: roleId.split('\n')[0]?.trim(), secret_id: secretId };
    const logIn = () => client.post('/v1/auth/machines/login', proof, { token: null });
    const { auth } = (await logIn()).body;
    expect(auth.policies).to.deep.equal(['app-reader', 'default']);
    expect(auth.lease_duration).to.equal(900);
    await page.reload();
    await page.getByRole('button', { name: /^Destroy / }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: /^Destroy / }).click();
    await page.getByRole('button', { name: 'Destroy', exact: true }).click();
    await page.getByText('No secret IDs').waitFor();
    expect((await logIn()).status).to.equal(400);

    await page.getByRole('button', { name: 'Change…' }).click();
    await page.getByText('More settings').click();
    await page.getByLabel('Uses of a secret ID').fill('5');
    await confirm(page, 'Save');
    await shownAs('Uses of a secret ID').getByText('5', { exact: true }).waitFor();
    const role = (await client.get('/v1/auth/machines/role/web')).body.data;
    expect(role).to.deep.include({ secret_id_num_uses: 5, token_ttl: 900, token_policies: ['app-reader'] });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a method is tuned, and disabled after the page has said what hangs on it', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    await enable(page, 'AppRole', 'old/machines');
    const inside = '/v1/auth/old/machines';
    await client.post(`${inside}/role/web`, { token_policies: ['app-reader'] });
    const made = (await client.post(`${inside}/role/web/secret-id`, {})).body.data;
    const { role_id } = (await client.get(`${inside}/role/web/role-id`)).body.data;
    const proof = { role_id, secret_id: made.secret_id };
    const token = (await client.post(`${inside}/login`, proof, { token: null })).body.auth.client_token;
    await page.getByRole('button', { name: 'Tune…' }).click();
    await page.getByLabel('Description').fill('the old ones');
    await page.getByLabel('Default lease TTL').fill('30m');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const tuned = (await client.get('/v1/sys/auth/old/machines/tune')).body.data;
    expect(tuned).to.deep.include({ description: 'the old ones', default_lease_ttl: 1800 });

    await page.getByRole('button', { name: 'Disable…' }).click();
    await page.getByText('1 role with 1 secret ID will be deleted, permanently.').waitFor();
    await page.getByText('1 token of its log-ins will be revoked immediately').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel(/Type .* to confirm/).fill('old/machines');
    await page.getByRole('button', { name: 'Disable', exact: true }).click();
    await page.getByRole('heading', { name: 'Auth methods' }).waitFor();
    await page.getByRole('link', { name: 'old/machines/' }).waitFor({ state: 'detached' });
    expect((await client.get('/v1/auth/token/lookup-self', { token })).status).to.equal(403);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an issuer with keys of its own and a role for its tokens are written, changed and deleted', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    await enable(page, 'JWT', 'ci');
    await page.getByText('No issuer yet').waitFor();
    const keys = [1, 2].map(() =>
      String(
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }),
      ),
    );
    await page.getByRole('button', { name: 'Set up the issuer…' }).click();
    await page.getByLabel('How are the keys found?').selectOption({ label: 'Pasted here, as public keys' });
    await page.getByLabel('Public keys (PEM)').fill(keys.join('\n'));
    await page.getByLabel('Issuer in the tokens (iss)').fill('https://ci.example.com');
    expect(await findBarriers(page)).to.deep.equal([]);
    await confirm(page, 'Save');
    await page.getByText('Public keys pasted here · 2 keys').waitFor();

    await makeRole(page, 'build');
    await page.getByLabel('User claim', { exact: true }).fill('sub');
    await confirm(page, 'Create role');
    await page.getByText('Enter a subject or a claim.').waitFor();
    const claims = page.getByLabel('Bound claims', { exact: true });
    await page.getByLabel('Bound audiences').fill('sealift');
    await page.getByText('Only the audience is bound').waitFor();
    await claims.fill('repository_id=42\nref');
    await page.getByText('Only the audience is bound').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Create role', exact: true }).click();
    await page.getByText('Line 2 has no “=”: write name=value.').waitFor();
    await claims.fill('repository_id=42\nref=main\nref=next');
    await page.getByRole('button', { name: 'Create role', exact: true }).click();
    await page.getByRole('heading', { name: 'build', exact: true }).waitFor();
    const role = async () => (await client.get('/v1/auth/ci/role/build')).body.data;
    expect(await role()).to.deep.include({
      user_claim: 'sub',
      bound_claims: { repository_id: '42', ref: ['main', 'next'] },
      bound_audiences: ['sealift'],
    });
    await page.getByText('ref=main, ref=next, repository_id=42').waitFor();
    await page.getByRole('button', { name: 'Change…' }).click();
    expect(await claims.inputValue()).to.equal('ref=main\nref=next\nrepository_id=42');
    await page.getByLabel('Bound claims type').selectOption({ label: 'With * for any text' });
    await claims.fill('');
    await confirm(page, 'Save');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await role()).to.deep.include({ bound_claims_type: 'glob', bound_claims: null });
    await page.getByRole('button', { name: 'Delete role…' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No roles yet').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a cluster and a role for its pods are written in the console, and its token stays hidden', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    const cluster = await makeCluster();
    const api = cluster.addAccount('shop', 'api');
    await enable(page, 'Kubernetes', 'cluster');
    await page.getByText('No cluster yet').waitFor();
    await page.getByRole('button', { name: 'Set up the cluster…' }).click();
    const open = () => page.getByRole('button', { name: 'Change the cluster…' }).click();
    await page.getByLabel('Public keys (PEM)').fill(await cluster.pem());
    await page.getByLabel('Issuer', { exact: true }).fill(cluster.issuer);
    expect(await findBarriers(page)).to.deep.equal([]);
    await confirm(page, 'Save');
    await page.getByText('Tokens are checked by the cluster’s public keys · 1 key').waitFor();

    await makeRole(page, 'api');
    await page.getByLabel('Service accounts').fill('api');
    await page.getByLabel('Namespace label selector').fill('matchLabels: {}');
    await page.getByLabel('Audience').fill('sealift');
    await confirm(page, 'Create role');
    await page.getByText('Name a label in matchLabels.').waitFor();
    await page.getByLabel('Namespace label selector').fill('');
    await confirm(page, 'Create role');
    await page.getByText('Enter a namespace, or a label selector.').waitFor();
    await page.getByLabel('Namespaces').fill('shop');
    await page.getByLabel('Namespace label selector').fill('matchLabels:\n  team: shop');
    await confirm(page, 'Create role');
    await page.getByRole('heading', { name: 'api', exact: true }).waitFor();
    const role = (await client.get('/v1/auth/cluster/role/api')).body.data;
    expect(role.bound_service_account_namespace_selector).to.equal('matchLabels:\n  team: shop');
    const jwt = await cluster.tokenOf(api);
    const answer = await client.post('/v1/auth/cluster/login', { role: 'api', jwt }, { token: null });
    expect(answer.body.auth.policies).to.deep.equal(['app-reader', 'default']);

    await page.goto(`${scene.url}access/auth/cluster`);
    await open();
    expect(await page.getByLabel('URL of the API server').count()).to.equal(0);
    const choice = page.getByLabel('How does Sealift check tokens?');
    await choice.selectOption({ label: 'By asking its API server' });
    expect(await page.getByLabel('Public keys (PEM)').count()).to.equal(0);
    await page.getByRole('textbox', { name: 'Token that asks the API server' }).fill(jwt);
    const url = page.getByLabel('URL of the API server');
    await url.fill('10.0.0.1');
    await confirm(page, 'Save');
    await page.getByText('Enter the URL of an API server, such as https://10.0.0.1:6443.').waitFor();
    expect(await url.getAttribute('aria-invalid')).to.equal('true');
    expect(await findBarriers(page)).to.deep.equal([]);
    await url.fill('https://10.0.0.1:6443');
    await confirm(page, 'Save');
    await page.getByText(/^The cluster was not called: .*Check the address, or save it anyway\.$/).waitFor();
    expect(await url.getAttribute('aria-invalid')).to.equal('true');
    expect((await client.get('/v1/auth/cluster/config')).body.data.validation).to.equal('local');
    await url.fill('https://10.0.0.2:6443');
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).waitFor();
    await url.fill('https://10.0.0.1:6443');
    await confirm(page, 'Save anyway');
    await page.getByText('with a stored token').waitFor();
    await open();
    await page.getByLabel('Issuer', { exact: true }).fill('https://other.example');
    expect(await page.content()).to.not.include(jwt.slice(-40));
    await confirm(page, 'Save');
    await page.getByText(/^The cluster was not called/).waitFor();
    await confirm(page, 'Save anyway');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await client.get('/v1/auth/cluster/config')).body.data).to.deep.include({
      issuer: 'https://other.example',
      pem_keys: [],
      validation: 'review',
      token_reviewer_jwt_set: true,
    });

    await open();
    await choice.selectOption({ label: 'By the cluster’s public keys' });
    await page.getByLabel('Public keys (PEM)').fill(await cluster.pem());
    await confirm(page, 'Save');
    await page.getByText('Tokens are checked by the cluster’s public keys · 1 key').waitFor();
    expect((await client.get('/v1/auth/cluster/config')).body.data).to.deep.include({
      kubernetes_host: '',
      disable_local_ca_jwt: false,
      token_reviewer_jwt_set: false,
      validation: 'local',
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a CA that did not issue a cluster’s certificate is told at its field before it is saved', async () => {
    const { page, context, faults } = await scene.signIn();
    const [authority, other] = await Promise.all([makeAuthority(), makeAuthority()]);
    const server = await startApiServer(await makeCluster(), authority);
    await enable(page, 'Kubernetes', 'trusted');
    await page.getByRole('button', { name: 'Set up the cluster…' }).click();
    await page
      .getByLabel('How does Sealift check tokens?')
      .selectOption({ label: 'By asking its API server' });
    const ca = page.getByLabel('CA certificates of the API server (PEM)', { exact: true });
    await page.getByLabel('URL of the API server').fill(server.url);
    for (const [text, fault] of [
      ['x', /has no frame: it must be between/],
      [other.ca, /^The certificate of the API server was not issued by the given CA .*or save it anyway\.$/],
    ] as const) {
      await ca.fill(text);
      await confirm(page, 'Save');
      await page.getByText(fault).waitFor();
      expect(await ca.getAttribute('aria-invalid')).to.equal('true');
    }
    expect(await findBarriers(page)).to.deep.equal([]);
    await ca.fill(authority.ca);
    await confirm(page, 'Save');
    await page.getByText('Each log-in asks').waitFor();
    await server.stop();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
