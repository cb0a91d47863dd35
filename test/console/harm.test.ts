import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { continueToOptions, continueToSecrets, fillCloud1 } from './support/wizard.ts';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = '/v1/sys/sync/destinations/cloud1-sm/prod';
const SETTINGS = 'destinations/cloud1-sm/prod/settings';

describe('harm that the console does not do', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    for (const path of ['app/db', 'app/pay', 'app/taken']) await scene.link(path);
    await scene.waitForCounts({ SYNCED: 2, CLIENT_SIDE_ERROR: 1 });
  });

  after(() => scene.close());

  const valueOf = (name: string) => scene.fake.entries().find((one) => one.name === name)?.value;

  const drift = async (name: string): Promise<void> => {
    const entry = scene.fake.entries().find((one) => one.name === name);
    scene.fake.plant({ ...entry, name, value: 'an emergency fix by hand' });
    const body = { mount: 'secret', secret_name: name };
    expect((await scene.sealift.client.post(`${STORE}/associations/verify`, body)).status).to.equal(200);
  };

  const typeKey = async (page: Page, key: string): Promise<void> => {
    const replace = page.getByRole('button', { name: 'Replace Secret access key' });
    const field = page.getByLabel('Secret access key', { exact: true });
    await replace.or(field).first().waitFor();
    if (await replace.isVisible()) await replace.click();
    await field.fill(key);
  };

  it('no action on a store is carried out by one click: each asks first, with its plan', async () => {
    const actions: [path: string, button: string][] = [
      ['problems', 'Retry prod (AWS Secrets Manager)'],
      ['destinations/cloud1-sm/prod?status=CLIENT_SIDE_ERROR', 'Retry 1 prod (AWS Secrets Manager)'],
      ['destinations/cloud1-sm/prod?q=app', 'Unlink 3…'],
      ['destinations/cloud1-sm/prod', 'Link secrets'],
      ['destinations/cloud1-sm/prod/secret/secret/app/db', 'Sync now'],
      ['destinations/cloud1-sm/prod/secret/secret/app/db', 'Unlink…'],
      [SETTINGS, 'Delete destination…'],
    ];
    const { page, context, faults } = await scene.signIn();
    const changes: string[] = [];
    page.on('request', (request) => {
      const isQuestion = /\/(?:plan|check|capabilities-self|capabilities-below|preview)$/.test(request.url());
      if (request.method() !== 'GET' && !isQuestion) changes.push(`${request.method()} ${request.url()}`);
    });
    for (const [path, button] of actions) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('button', { name: button, exact: true }).first().click();
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await dialog.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
      if (button !== 'Link secrets')
        await dialog.getByText(/(?:No changes|entr(?:y|ies) will change) in prod/).waitFor();
      expect(await findBarriers(page), button).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    }
    expect(changes).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a retry overwrites a change in the store only for the name of the store', async () => {
    await drift('app/db');
    const { page, context, faults } = await scene.enter();
    await page
      .getByRole('row', { name: /drifted/ })
      .getByRole('button', { name: /^Overwrite with our value/ })
      .click();
    await page.getByText('1 to overwrite').waitFor();
    await page.getByText(/someone changed this entry in the store, and that change would be lost/i).waitFor();
    const write = page.getByRole('button', { name: 'Overwrite 1 entry' });
    expect(await write.isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(valueOf('app/db')).to.equal('an emergency fix by hand');
    await page
      .getByRole('row', { name: /drifted/ })
      .getByRole('button', { name: /^Overwrite with our value/ })
      .click();
    await answerDialog(page, 'Overwrite 1 entry', 'prod');
    await page.getByText('Overwrote the changed entries of 1 link in prod (AWS Secrets Manager).').waitFor();
    expect(valueOf('app/db')).to.not.equal('an emergency fix by hand');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a test tries what is typed, and forgets its result when something else is typed', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${SETTINGS}`);
    const check = page.getByRole('button', { name: 'Test connection', exact: true });
    await check.click();
    await page.getByText('Stored credentials accepted').waitFor();
    await typeKey(page, 'a-wrong-key');
    const result = page.getByText(/redentials (?:accepted|rejected)/);
    await result.waitFor({ state: 'detached' });
    await check.click();
    await page.getByText('Credentials rejected').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await typeKey(page, 'a-secret-key');
    await result.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('credentials are tried before they are saved, and wrong ones need a confirmation', async () => {
    const { page, context, faults } = await scene.signIn();
    const read = async () => (await scene.sealift.client.get(STORE)).headers['etag'];
    const before = await read();
    await page.goto(`${scene.url}${SETTINGS}`);
    await typeKey(page, 'a-wrong-key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Credentials rejected').waitFor();
    const anyway = dialog.getByRole('button', { name: /^Save anyway/ });
    expect(await anyway.isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await read()).to.equal(before);

    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await answerDialog(page, /^Save anyway/, 'prod');
    await page.getByText('Saved. Credentials rejected').waitFor();
    const causes = async (): Promise<string[]> => {
      const { body } = await scene.sealift.client.get('/v1/sys/sync/summary');
      return body.data.problems.map(({ cause }: { cause: { code: string } }) => cause.code);
    };
    await eventually(async () => (await causes()).includes('credentials_refused'));
    expect(await read()).to.not.equal(before);
    await typeKey(page, 'another-wrong-key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Credentials rejected').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await typeKey(page, 'a-secret-key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByText('Credentials accepted').waitFor();
    await answerDialog(page, /^Save/);
    await page.getByText('Saved. Credentials accepted').waitFor();
    await eventually(async () => !(await causes()).includes('credentials_refused'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an option that renames or deletes entries is saved only after its plan', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${SETTINGS}`);
    await page.getByLabel('Secret name template').fill('moved/{{ .SecretPath }}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('2 to rename').waitFor();
    const save = page.getByRole('button', { name: /^Save and change/ });
    expect(await save.isDisabled()).to.equal(true);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(valueOf('app/db')).to.be.a('string');
    await page.getByLabel('Secret name template').fill('{{ .SecretPath');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('alert')
      .getByText(/template/i)
      .or(page.locator('[aria-invalid="true"]'))
      .first()
      .waitFor();
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever saves credentials that are rejected reads how many links won’t sync', async () => {
    const { page, context, faults } = await scene.signIn();
    const own = new Set((await scene.driver.records()).map(({ secret_name: path }) => path)).size;
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByRole('button', { name: 'Replace Secret access key' }).click();
    await page.getByLabel('Secret access key', { exact: true }).fill('a-wrong-key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Credentials rejected').waitFor();
    await dialog.getByText(`${own} link${own === 1 ? '' : 's'} won’t sync`).waitFor();
    expect(await dialog.getByText('No changes').count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('credentials that the store refuses lead no further than their own fields', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'wrong');
    const key = page.getByLabel('Access key ID', { exact: true });
    await key.fill('AKIAUNKNOWN');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Credentials rejected. Check Access key ID, Secret access key.').waitFor();
    expect(await key.evaluate((field) => field === field.ownerDocument.activeElement)).to.equal(true);
    expect(await key.getAttribute('aria-invalid')).to.equal('true');
    await page.getByText('set new values for “Access key ID” and “Secret access key”').waitFor();
    expect(await page.getByRole('button', { name: 'Continue without a test' }).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await key.fill('AKIAEXAMPLEONE');
    expect(await key.getAttribute('aria-invalid')).to.equal('false');
    const secret = page.getByLabel('Secret access key', { exact: true });
    await secret.fill('another-secret-key');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Credentials rejected. Check Secret access key.').waitFor();
    expect(await secret.getAttribute('aria-invalid')).to.equal('true');
    expect(await key.getAttribute('aria-invalid')).to.equal('false');
    await secret.fill('a-secret-key');
    await continueToOptions(page);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a store that nobody can test is created only by whoever has read that', async () => {
    const { page, context, faults } = await scene.signIn();
    const stored = async () =>
      (await scene.sealift.client.get('/v1/sys/sync/destinations/cloud2-kv/untested')).status;
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose Azure Key Vault' }).click();
    await page.getByLabel('Destination name').fill('untested');
    await page.getByLabel('Key vault URI').fill('https://example.vault.azure.net');
    await page.getByLabel('Client ID').fill('an-id');
    await page.getByLabel('Client secret').fill('a-secret');
    await page.getByLabel('Tenant ID').fill('contoso.onmicrosoft.com');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Connection not tested.').waitFor();
    await page.getByRole('button', { name: 'Continue without a test' }).click();
    await continueToSecrets(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText('Connection not tested.').waitFor();
    expect(await stored()).to.equal(404);
    await page.getByLabel('Secrets (one per line)').fill('app/db');
    expect(await page.getByRole('button', { name: /^Create and link/ }).isDisabled()).to.equal(true);
    await page.getByLabel('Secrets (one per line)').fill('');
    await page.getByRole('button', { name: 'Create anyway' }).click();
    await eventually(async () => (await stored()) === 200);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a shorter retention says what is deleted, how much, and asks for the number', async () => {
    const { client } = scene.sealift;
    await scene.driver.write('old/deleted', { v: '1' });
    await client.delete('/v1/secret/data/old/deleted');
    await scene.sealift.context.db.raw(
      "UPDATE secret_versions SET deletion_time = now() - interval '40 days' WHERE deletion_time IS NOT NULL",
    );
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/data-retention`);
    await page.getByLabel('Delete data older than (days)').fill('30');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByText(/0 audit entries, 0 entries of the sync history and [1-9]\d* deleted versions? of secrets/)
      .waitFor();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/audit entries, sync history, and deleted versions of secrets/).waitFor();
    expect(await page.getByRole('button', { name: 'Save and delete' }).isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    const path = '/api/v2/admin/data-retention-policy-settings';
    expect((await client.get(path)).status).to.equal(404);
    await answerDialog(page, 'Save and delete', 'delete');
    await eventually(async () => (await client.get(path)).status === 200);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever edits a secret reads which stores the new version is written to', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByText('The new version will be written to 1 destination at once').waitFor();
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByText('Keys that you delete will be deleted at its destinations too').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    // It stands above what is typed, so that nobody saves before reading it.
    const placeOf = async (text: string) => (await page.getByText(text).first().boundingBox())?.y ?? 0;
    expect(await placeOf('The new version will be written to')).to.be.below(await placeOf('Add a key'));
    const throttled = { throttled_until: new Date(Date.now() + 3_600_000) };
    await scene.sealift.context.db('destinations').update(throttled);
    await page.reload();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page
      .getByText(/the new version will be written once the rate limit of the store has ended/)
      .waitFor();
    await scene.sealift.context.db('destinations').update({ throttled_until: null });
    await context.close();
  });
});
