import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('names are picked instead of typed', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    const policies = {
      // A session makes no token that reads values.
      'app-lister': 'path "secret/metadata/app/*" { capabilities = ["list"] }',
      'app-reader': 'path "secret/data/app/*" { capabilities = ["read"] }',
    };
    for (const [name, policy] of Object.entries(policies))
      await client.post(`/v1/sys/policies/acl/${name}`, { policy });
    await client.post('/v1/auth/token/roles/deployer', { allowed_policies: 'app-lister' });
    for (const path of ['team', 'team/web']) await client.post(`/v1/sys/namespaces/${path}`, {});
    for (const path of ['app/db', 'app/mail', 'app/old', 'solo'])
      await scene.driver.write(path, { user: 'app' });
  });

  after(() => scene.close());

  const nameInStore = (name: string): boolean => scene.fake.entries().some((entry) => entry.name === name);

  it('policies and the role of a token are picked by keys, and other names can be typed', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/tokens`);
    await page.getByRole('button', { name: 'Create a token' }).click();
    const dialog = page.getByRole('dialog');
    const add = dialog.getByRole('combobox', { name: 'Policies' });
    await add.click();
    await dialog.getByRole('option', { name: 'app-reader' }).waitFor();
    await add.fill('app');
    await page.keyboard.press('ArrowDown');
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press('Enter');
    await add.fill('typed-only');
    await page.keyboard.press('Enter');
    await dialog.getByRole('button', { name: 'Remove app-lister' }).waitFor();
    await dialog.getByRole('button', { name: 'Remove typed-only' }).click();
    expect(await findBarriers(page)).to.deep.equal([]);
    await add.press('ArrowDown');
    await dialog.getByRole('listbox').waitFor();
    await page.keyboard.press('Escape');
    await dialog.getByRole('listbox').waitFor({ state: 'hidden' });
    await dialog.getByText('More settings').click();
    await dialog.getByRole('combobox', { name: 'Token role' }).click();
    await dialog.getByRole('option', { name: 'deployer' }).click();
    const made = page.waitForResponse((answer) => answer.url().endsWith('/auth/token/create/deployer'));
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    const answer = await made;
    expect(answer.status(), await answer.text()).to.equal(200);
    await page.getByText('Copy it now').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the tester of a policy offers paths folder by folder', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/policies/app-reader`);
    const path = page.getByRole('combobox', { name: 'Path' });
    await path.fill('secret');
    await page.getByRole('option', { name: /^secret\/data\// }).click();
    await page.getByRole('option', { name: 'secret/data/app/' }).click();
    await page.getByRole('option', { name: 'secret/data/app/db' }).click();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('secret/data/app/db → read').waitFor();
    await path.fill('sys/sync/destinations/');
    await page.getByRole('option', { name: 'sys/sync/destinations/cloud1-sm/prod' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a namespace is picked level by level, on a phone too', async () => {
    const { page, context, faults } = await scene.enter({ size: NARROW });
    await page.getByRole('button', { name: 'Namespace root' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Path of a namespace' }).click();
    await dialog.getByRole('option', { name: 'team/' }).click();
    await dialog.getByRole('option', { name: 'team/web/' }).click();
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('button', { name: 'Namespace team/web' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a part of a namespace leads to the only one that begins so, and a wrong name is told', async () => {
    const { page, context, faults } = await scene.enter();
    await page.getByRole('button', { name: 'Namespace root' }).click();
    const dialog = page.getByRole('dialog');
    const path = dialog.getByRole('combobox', { name: 'Path of a namespace' });
    await path.click();
    await dialog.getByRole('option', { name: 'team/' }).waitFor();
    await path.fill('nowhere');
    await path.press('Enter');
    await dialog.getByText('There is no namespace nowhere.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await path.fill('tea');
    await path.press('Enter');
    await page.getByRole('button', { name: 'Namespace team', exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('filters of the audit trail offer the secrets, tokens and words that there are', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}audit`);
    const secret = page.getByRole('combobox', { name: 'Secret, with its mount' });
    await secret.fill('mai');
    await page.getByRole('option', { name: 'secret/app/mail' }).click();
    await page.waitForURL(/secret=secret%2Fapp%2Fmail/);
    await page.getByRole('combobox', { name: 'Who', exact: true }).click();
    await page.getByRole('option', { name: 'root' }).first().click();
    await page.waitForURL(/who=root/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('ticked secrets are linked together after their plan, and deleted together after a question', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/app/`);
    await page.getByLabel(/^Select all \d+ secrets shown$/).check();
    for (const name of ['db', 'mail'])
      expect(await page.getByLabel(`Select secret/app/${name}`).isChecked(), name).to.equal(true);
    await page.getByLabel(/^Select all \d+ secrets shown$/).uncheck();
    for (const name of ['db', 'mail']) await page.getByLabel(`Select secret/app/${name}`).check();
    const bar = page.getByRole('region', { name: 'Selected secrets' });
    await bar.getByText('2 selected').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await bar.getByRole('button', { name: 'Link selected (2) to…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'prod (AWS Secrets Manager)' }).click();
    await answerDialog(page, 'Link and write 2 entries');
    await eventually(() => nameInStore('app/db') && nameInStore('app/mail'));
    await page.getByLabel('Select secret/app/old').check();
    await bar.getByRole('button', { name: 'Delete selected (3)…' }).click();
    await page.getByText('entries that Sealift wrote there for 2 secrets will be deleted').waitFor();
    expect(nameInStore('app/db')).to.equal(true);
    await answerDialog(page, 'Delete for good', '3 secrets');
    await eventually(() => !nameInStore('app/db') && !nameInStore('app/mail'));
    const left = await scene.sealift.client.get('/v1/secret/metadata/app?list=true');
    expect(left.status).to.equal(404);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the search makes a secret, starts a destination, pauses and retries from any page', async () => {
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    await scene.link('app/taken');
    await scene.driver.settles('app/taken', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.enter();
    const search = page.getByRole('combobox', { name: 'Page, destination, secret or action' });
    const find = async (text: string, option: string): Promise<void> => {
      await page.keyboard.press('Control+k');
      await search.fill(text);
      await page.getByRole('option', { name: option }).first().click();
    };
    await find('new secret', 'New secret in secret/');
    await page.getByRole('dialog', { name: 'Create a secret' }).waitFor();
    await page.keyboard.press('Escape');
    await find('pause', 'Pause syncing');
    await page.getByRole('dialog', { name: 'Pause syncing to all destinations' }).waitFor();
    await page.keyboard.press('Escape');
    await find('retry conflict', 'Retry prod (AWS Secrets Manager): Entry is not ours');
    await page.getByRole('dialog', { name: 'Retry links of prod (AWS Secrets Manager)' }).waitFor();
    await page.keyboard.press('Escape');
    await find('new destination', 'New destination');
    await page.waitForURL(/\/connect/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
