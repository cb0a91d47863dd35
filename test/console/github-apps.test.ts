import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { paste } from './support/paste.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const pemOf = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey;

describe('GitHub in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  async function chooseGithub(page: Page): Promise<void> {
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose GitHub secrets' }).click();
    await page.getByLabel('Repository owner').waitFor();
  }

  it('an app is added with its key as pasted, gets another one from a file, and is deleted', async () => {
    const { page, context, faults } = await scene.enter({
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.goto(`${scene.url}github-apps`);
    await page.getByRole('button', { name: 'Add a GitHub App' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await dialog.getByText('Not done. Check Name, App ID, Private key.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('deployer');
    await dialog.getByLabel('App ID').fill('4711');
    const pasted = pemOf().replaceAll('\n', '\r\n');
    await paste(dialog.getByLabel('Private key', { exact: true }), pasted);
    expect(await findBarriers(page)).to.deep.equal([]);
    const sent = page.waitForRequest((request) => request.url().endsWith('/github-apps/deployer'));
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    expect((await sent).postDataJSON()).to.deep.equal({ app_id: 4711, private_key: pasted });
    const read = async () =>
      (await scene.sealift.client.get('/v1/sys/sync/github-apps/deployer')).body.data.fingerprint;
    await page.getByRole('button', { name: 'Replace key of deployer' }).waitFor();
    const former = await read();
    await page.getByText(former).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.getByRole('button', { name: 'Replace key of deployer' }).click();
    const file = { name: 'deployer.pem', mimeType: 'text/plain', buffer: Buffer.from(pemOf()) };
    await page.locator('input[type="file"]').setInputFiles(file);
    await page.getByText('Loaded deployer.pem.').waitFor();
    await page.getByRole('button', { name: 'Replace key', exact: true }).click();
    await page.getByText(former).waitFor({ state: 'detached' });
    expect(await read()).to.not.equal(former);

    await chooseGithub(page);
    await page.getByLabel('Signs in with').selectOption({ label: 'GitHub App' });
    await page.getByLabel('GitHub App', { exact: true }).fill('dep');
    await page.getByRole('option', { name: 'deployer' }).waitFor();

    await page.goto(`${scene.url}github-apps`);
    await page.getByRole('button', { name: 'Delete deployer' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('No GitHub Apps yet').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('only the fields of the chosen location are shown and sent', async () => {
    const { page, context, faults } = await scene.enter();
    await chooseGithub(page);
    for (const label of ['Environment name', 'Organization name', 'Selected repositories', 'Service'])
      expect(await page.getByLabel(label).filter({ visible: true }).count(), label).to.equal(0);
    await page.getByLabel('Destination name').fill('web');
    await page.getByLabel('Repository owner').fill('acme');
    await page.getByLabel('Access token').fill('a-token');
    const location = page.getByLabel('Secrets location');
    await location.selectOption({ label: 'Environment of a repository' });
    await page.getByLabel('Environment name').fill('production');
    await location.selectOption({ label: 'Organization' });
    expect(await page.getByLabel('Repository owner').count()).to.equal(0);
    await page.getByLabel('Organization name').fill('acme');
    await page.getByLabel('Organization visibility').selectOption({ label: 'Selected repositories' });
    await page.getByLabel('Selected repositories').fill('web');
    const sent = page.waitForRequest((request) => request.url().endsWith('/repo-host/web/check'));
    await page.getByRole('button', { name: 'Continue' }).click();
    expect((await sent).postDataJSON()).to.deep.equal({
      secrets_location: 'organization',
      access_token: 'a-token',
      organization_name: 'acme',
      organization_visibility: 'selected',
      selected_repository_names: ['web'],
    });
    await page.getByText('More settings').click();
    await page.getByLabel('Service').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a stored environment is shown until another location is chosen, which takes it away', async () => {
    const path = '/v1/sys/sync/destinations/repo-host/stored';
    const settings = {
      access_token: 'a-token',
      repository_owner: 'acme',
      repository_name: 'web',
      environment_name: 'production',
    };
    expect((await scene.sealift.client.post(path, settings)).status).to.equal(200);
    const { page, context, faults } = await scene.enter();
    await page.goto(`${scene.url}destinations/repo-host/stored/settings`);
    const environment = page.getByLabel('Environment name');
    expect(await environment.inputValue()).to.equal('production');
    await page.getByLabel('Secrets location').selectOption({ label: 'Organization' });
    expect(await environment.count()).to.equal(0);
    await page.getByLabel('Organization name').fill('acme');
    const sent = page.waitForRequest((request) => request.url().endsWith('/repo-host/stored/check'));
    await page.getByRole('button', { name: 'Test connection' }).click();
    expect((await sent).postDataJSON()).to.deep.equal({
      secrets_location: 'organization',
      organization_name: 'acme',
      repository_owner: null,
      repository_name: null,
      environment_name: null,
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the usual audience is filled in where a destination signs in with identity tokens', async () => {
    const { page, context, faults } = await scene.enter();
    const usual = [
      ['AWS Secrets Manager', 'Identity tokens and a role (nothing is stored)', /^sts\.amazonaws\.com$/],
      ['Azure Key Vault', 'Identity tokens (nothing is stored)', /^api:\/\/AzureADTokenExchange$/],
      ['Google Cloud Secret Manager', 'Identity tokens (nothing is stored)', /PROJECT_NUMBER.*providers/],
    ] as const;
    for (const [title, label, audience] of usual) {
      await page.goto(`${scene.url}connect`);
      await page.getByRole('button', { name: `Choose ${title}` }).click();
      await page.getByLabel('Signs in with').selectOption({ label });
      expect(await page.getByLabel('Audience of identity tokens').inputValue(), title).to.match(audience);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
