import { execFileSync } from 'node:child_process';
import { expect } from 'chai';
import { runCommand } from '../cli/support.ts';
import { findBarriers } from './support/axe.ts';
import { readClipboard } from './support/copy.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the lists and forms of access in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    const policy = 'path "secret/data/app/*" { capabilities = ["read"] }';
    for (const name of ['app-reader', 'shop-reader'])
      await client.post(`/v1/sys/policies/acl/${name}`, { policy });
    for (const name of ['ana', 'bo'])
      await client.post('/v1/auth/token/create', { display_name: name, policies: ['app-reader'] });
    await client.post('/v1/sys/auth/machines', { type: 'approle' });
    await client.post('/v1/sys/auth/cluster', { type: 'kubernetes' });
    await client.post('/v1/auth/machines/role/web', { token_policies: ['app-reader'] });
  });

  after(() => scene.close());

  // A shell splits the command into words.
  async function createdBy(command: string) {
    const { url, token, client } = scene.sealift;
    const split = execFileSync('sh', ['-c', `sealift() { printf '%s\\0' "$@"; }; ${command}`]);
    const words = split.toString().split('\0').slice(0, -1);
    const made = await runCommand([...words, '--json'], { SEALIFT_URL: url, SEALIFT_TOKEN: token });
    expect(made.code, made.stderr).to.equal(0);
    const found = await client.get('/v1/auth/token/lookup-self', { token: JSON.parse(made.stdout).token });
    return found.body.data;
  }

  it('policies, tokens and sessions are found by a part of their name', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/policies`);
    await page.getByRole('link', { name: 'shop-reader' }).waitFor();
    await page.getByLabel('Filter by name').fill('APP');
    await page.getByRole('link', { name: 'shop-reader' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'app-reader' }).waitFor();
    await page.goto(`${scene.url}access/tokens`);
    await page.getByRole('row').filter({ hasText: /^bo\b/ }).waitFor();
    await page.getByLabel('Filter by name or policy').fill('ana');
    await page.getByRole('row').filter({ hasText: /^bo\b/ }).waitFor({ state: 'detached' });
    await page
      .getByRole('row')
      .filter({ hasText: /^ana\b/ })
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.goto(`${scene.url}access/sessions`);
    await page.getByText('this browser').waitFor();
    await page.getByLabel('Filter by name or policy').fill('nobody');
    await page.getByText('this browser').waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a token is called as it was named wherever the console shows it', async () => {
    const { client } = scene.sealift;
    const made = await client.post('/v1/auth/token/create', { display_name: 'petra', policies: ['root'] });
    const token = made.body.auth.client_token;
    const policy = 'path "secret/metadata/*" { capabilities = ["list"] }';
    await client.post('/v1/sys/policies/acl/of-petra', { policy }, { token });
    await client.post('/v1/sys/teams/crew', { policies: ['of-petra'] }, { token });
    await client.post('/v1/auth/token/create', { display_name: 'petra', policies: ['of-petra'] });
    const { page, context, faults } = await scene.signIn({ token });
    const pages = ['tokens', 'sessions', 'policies', 'policies/of-petra', 'teams'].map(
      (one) => `access/${one}`,
    );
    for (const path of [...pages, 'audit', 'audit?actor=token-petra']) {
      await page.goto(`${scene.url}${path}`);
      await page
        .getByRole('main')
        .getByText(/(?<!of-)\bpetra\b/)
        .first()
        .waitFor();
      await page.getByRole('banner').getByText('petra', { exact: true }).waitFor();
      expect(await page.locator('body').innerText(), path).not.to.include('token-petra');
    }
    expect(await page.getByLabel('Who', { exact: true }).inputValue()).to.equal('petra');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a token without a policy is refused at that field, before the API is asked', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/tokens`);
    await page.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog.getByText('Choose at least one policy, such as default.').waitFor();
    await page.locator('[role="combobox"][aria-invalid="true"]:focus').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a policy that does not exist is told before the token is made, once', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/tokens`);
    await page.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Policies', { exact: true }).fill('app-raeder');
    await page.keyboard.press('Tab');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await dialog
      .getByText('No policy is called app-raeder. It gives the token nothing until it exists.')
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Create anyway' }).click();
    await page.getByText('Accessor (to revoke it)').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a policy that reads values is marked as soon as it is chosen, with the command to use', async () => {
    const policy = 'path "secret/data/*" { capabilities = ["read"] }';
    await scene.sealift.client.post('/v1/sys/policies/acl/values-reader', { policy });
    const permissions = ['clipboard-read', 'clipboard-write'];
    const { page, context, faults } = await scene.signIn({ permissions });
    await page.goto(`${scene.url}access/tokens`);
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByLabel('Name', { exact: true }).fill("Petra's $laptop");
    await page.getByLabel('TTL').fill('12h');
    await page.getByLabel('Policies', { exact: true }).fill('default');
    await page.keyboard.press('Enter');
    await page.getByLabel('Policies', { exact: true }).fill('values-reader');
    await page.getByText('values-reader allows reading secret values').waitFor();
    await page.getByText('sealift token create --policy default --policy values-reader').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    const token = await createdBy(await readClipboard({ page, context }));
    expect(token).to.deep.include({ display_name: 'token-Petra-s--laptop', creation_ttl: 12 * 3600 });
    expect(token.policies).to.have.members(['default', 'values-reader']);
    await page.getByText('More settings').click();
    await page.getByLabel('Maximum uses').fill('3');
    await page.getByText(/Use “Copy as curl” beside Create/).waitFor();
    expect(await page.getByText('sealift token create --policy').count()).to.equal(0);
    await page.getByLabel('Policies', { exact: true }).fill('');
    await page.getByText('allows reading secret values').waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a dialog names all that is missing at once, the token too, and the first gets the focus', async () => {
    const { page, context, faults } = await scene.signIn();
    const refused = async (button: string, action: string, check: string): Promise<void> => {
      await page.getByRole('button', { name: button }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: action, exact: true }).click();
      await dialog.getByText(`Not done. Check ${check}.`).waitFor();
      await page.locator('dialog [aria-invalid="true"]:focus').waitFor();
      const first = await dialog.locator('[aria-invalid="true"]').first().getAttribute('id');
      expect(await page.locator(':focus').getAttribute('id')).to.equal(first);
      expect(await findBarriers(page)).to.deep.equal([]);
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    };
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && !request.url().includes('capabilities')) sent.push(request.url());
    });
    await page.goto(`${scene.url}access/auth/cluster`);
    await refused('Set up the cluster…', 'Save', 'Public keys (PEM), Your token');
    await refused('Create a role', 'Create role', 'Role, Service accounts, Namespaces, Your token');
    await page.goto(`${scene.url}access/auth/machines?role=web`);
    await refused('Create a secret ID', 'Create secret ID', 'Your token');
    await page.goto(`${scene.url}access/teams`);
    await refused('Add a team', 'Add team', 'Team, Your token');
    expect(sent).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a policy gets only a name that it may have', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/policies`);
    await page.getByRole('button', { name: 'Create policy' }).click();
    const name = page.getByRole('dialog').getByLabel('Name');
    await name.fill('team reader!');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Use letters, digits and _ . @ - only.').waitFor();
    await name.fill('Team-Reader');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'team-reader', exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the pages of an auth method and of its roles mark their tab', async () => {
    const { page, context, faults } = await scene.signIn();
    for (const search of ['', '?role=web']) {
      await page.goto(`${scene.url}access/auth/machines${search}`);
      await page
        .getByRole('navigation', { name: 'Access' })
        .locator('[aria-current="page"]')
        .getByText('Auth methods')
        .waitFor();
    }
    await page.getByRole('button', { name: 'Create a secret ID' }).click();
    await page.getByRole('dialog').getByLabel('Uses', { exact: true }).waitFor();
    await page.getByText('one created in this console doesn’t work').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a role and a team name a policy that does not exist without a link to it', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/auth/machines/role/old', { token_policies: ['app-reader', 'gone'] });
    await client.post('/v1/sys/teams/crew', { policies: ['app-reader', 'gone'] });
    const { page, context, faults } = await scene.signIn();
    for (const path of ['access/auth/machines?role=old', 'access/teams']) {
      await page.goto(`${scene.url}${path}`);
      await page.getByText('gone (does not exist)').waitFor();
      await page.getByRole('link', { name: 'app-reader' }).waitFor();
      expect(await page.getByRole('link', { name: 'gone' }).count(), path).to.equal(0);
    }
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a tested path goes away once the text of the policy is another', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/policies/app-reader`);
    await page.getByRole('combobox', { name: 'Path' }).fill('secret/data/app/db');
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const result = page.getByText('→ read');
    await result.waitFor();
    await page.getByLabel('Policy, in HCL or JSON').fill('path "x" { capabilities = ["read"] }');
    await result.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
