import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { cloud1Settings } from '../support/sandboxed.ts';
import { findBarriers } from './support/axe.ts';
import { paste } from './support/paste.ts';
import { continueToOptions, continueToSecrets, fillCloud1 } from './support/wizard.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const SETTINGS = 'destinations/cloud1-sm/prod/settings';

describe('input of the console that is not saved', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  const question = (page: Page) => page.getByRole('dialog', { name: 'Discard what you typed?' });

  const answer = async (page: Page, button: 'Keep editing' | 'Discard'): Promise<void> => {
    await question(page).getByRole('button', { name: button }).click();
    await question(page).waitFor({ state: 'detached' });
  };

  const visible = (page: Page, path: string) => page.waitForURL(`${scene.url}${path}`);

  const heading = (page: Page, name: string) =>
    page.getByRole('heading', { level: 1, name, exact: true }).waitFor();

  it('a form is not left by the menu, a key, Back or signing out without a question', async () => {
    const { page, context, faults } = await scene.enter();
    await page.getByRole('link', { name: 'Destinations', exact: true }).click();
    await heading(page, 'Destinations');
    await page.getByRole('link', { name: 'prod' }).click();
    const tabs = page.getByRole('navigation', { name: 'Destination', exact: true });
    await tabs.getByText('Settings').click();
    const field = page.getByLabel('Custom tags');
    await field.fill('team=mine');
    const ways: (() => Promise<unknown>)[] = [
      () => page.getByRole('navigation', { name: 'Main' }).getByText('Problems').click(),
      () => page.getByRole('link', { name: 'Activity', exact: true }).click(),
      () => page.goBack(),
      () =>
        page
          .getByRole('heading', { level: 1 })
          .press('g')
          .then(() => page.keyboard.press('o')),
      () => page.getByRole('button', { name: 'Sign out' }).click(),
    ];
    for (const leave of ways) {
      await leave();
      await question(page).waitFor();
      expect(await findBarriers(page)).to.deep.equal([]);
      await answer(page, 'Keep editing');
      expect(page.url()).to.equal(`${scene.url}${SETTINGS}`);
      expect(await field.inputValue()).to.equal('team=mine');
    }
    await page.getByRole('navigation', { name: 'Main' }).getByText('Problems').click();
    await answer(page, 'Discard');
    await visible(page, 'problems');
    await heading(page, 'Problems');
    await page.goBack();
    await visible(page, SETTINGS);
    await field.waitFor();
    expect(await field.inputValue()).to.equal('');
    await page.getByRole('navigation', { name: 'Main' }).getByText('Status').click();
    await visible(page, 'status');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('typed settings stay although somebody else deletes the destination', async () => {
    const path = '/v1/sys/sync/destinations/cloud1-sm/short-lived';
    await scene.sealift.client.post(path, cloud1Settings());
    const { page, context, faults } = await scene.signIn();
    await page.clock.install();
    await page.goto(`${scene.url}destinations/cloud1-sm/short-lived/settings`);
    await page.getByLabel('Secret name template').fill('typed-{{ .SecretPath }}');
    expect((await scene.sealift.client.delete(path)).status).to.equal(204);
    await page.clock.fastForward(11_000);
    await page.getByText('Someone deleted this destination.').waitFor();
    expect(await page.getByLabel('Secret name template').inputValue()).to.equal('typed-{{ .SecretPath }}');
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('Back from a page that is still loading asks no second time', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${SETTINGS}`);
    const field = page.getByLabel('Custom tags');
    await field.fill('team=mine');
    const loading: (() => void)[] = [];
    await page.route(/assets\/problems/, (route) =>
      new Promise<void>((resolve) => loading.push(resolve)).then(() => route.continue()),
    );
    await page.getByRole('navigation', { name: 'Main' }).getByText('Problems').click();
    await answer(page, 'Discard');
    await visible(page, 'problems');
    await page.goBack();
    await visible(page, SETTINGS);
    expect(loading).to.have.length(1);
    for (const load of loading) load();
    expect(await question(page).count()).to.equal(0);
    await field.waitFor();
    // The page was not left, so leaving it asks again.
    await page.getByRole('navigation', { name: 'Main' }).getByText('Status').click();
    await answer(page, 'Discard');
    await heading(page, 'Status');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a tab with unsaved input is closed only after the question of the browser', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}access/policies/new`);
    const text = page
      .getByRole('textbox', { name: /^Policy/ })
      .or(page.locator('textarea'))
      .first();
    await text.click();
    await text.press('End');
    await text.pressSequentially('# a note');
    const opening = page.waitForEvent('dialog');
    await page.close({ runBeforeUnload: true });
    const dialog = await opening;
    expect(dialog.type()).to.equal('beforeunload');
    await dialog.dismiss();
    expect(await text.inputValue()).to.include('# a note');
    await context.close();
  });

  it('no dialog with input is closed by Escape or Cancel without a question', async () => {
    const { page, context, faults } = await scene.signIn();
    const dialogs: [path: string, open: string, label: string | RegExp][] = [
      ['secrets/secret/app/db', 'Edit', 'Name of the new key'],
      ['destinations/cloud1-sm/prod', 'Link secrets', /^Secrets \(one per line\)/],
      ['access/tokens', 'Create a token', 'Name'],
      ['access/policies', 'Create policy', 'Name'],
      ['access/auth-methods', 'Enable a method', 'Path'],
      ['access/teams', 'Add a team', 'Team'],
      ['access/namespaces', 'Create a namespace', 'Name'],
      ['versions', 'Add a version', 'Version'],
    ];
    for (const [path, open, label] of dialogs) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('button', { name: open, exact: true }).first().click();
      const dialog = page.getByRole('dialog').first();
      const field = dialog.getByLabel(label, { exact: true });
      await field.fill('typed');
      // A browser closes a dialog at the second Escape in a row, whatever the page says to the first.
      for (const _ of [1, 2, 3]) {
        await field.press('Escape');
        await question(page).waitFor();
        await page.keyboard.press('Escape');
        await question(page).waitFor({ state: 'detached' });
      }
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await answer(page, 'Keep editing');
      expect(await field.inputValue(), path).to.equal('typed');
      await field.press('Escape');
      await answer(page, 'Discard');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: open, exact: true }).first().click();
      await field.waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a dialog keeps what was changed by its buttons, and a paste counts as input', async () => {
    const { page, context } = await scene.signIn({ permissions: ['clipboard-read', 'clipboard-write'] });
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.keyboard.press('Escape');
    await answer(page, 'Discard');
    await page.goto(`${scene.url}access/policies`);
    await page.getByRole('button', { name: 'Create policy' }).click();
    const field = page.getByRole('dialog').getByLabel('Name');
    await paste(field, 'pasted\n');
    expect(await field.inputValue()).to.equal('pasted');
    await page.keyboard.press('Escape');
    await answer(page, 'Keep editing');
    await page.getByRole('button', { name: 'Continue' }).click();
    await visible(page, 'access/policies/pasted');
    await context.close();
  });

  it('the steps to connect a store keep everything that was typed in any of them', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    const choose = (title: string) => page.getByRole('button', { name: `Choose ${title}` }).click();
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await choose('AWS Secrets Manager');
    await fillCloud1(page, 'kept');
    await continueToOptions(page);
    await page.getByLabel('Secret name template').fill('kept/{{ .SecretPath }}');
    await continueToSecrets(page);
    await page.getByLabel('Secrets (one per line)').fill('app/db');
    for (const _ of [1, 2, 3]) await page.goBack();
    await choose('GitHub secrets');
    await page.goBack();
    await choose('AWS Secrets Manager');
    expect(await value('Destination name')).to.equal('kept');
    expect(await value('Access key ID')).to.equal('AKIAEXAMPLEONE');
    for (const way of ['The worker’s own identity', 'Access key'])
      await page.getByLabel('Signs in with').selectOption({ label: way });
    expect(await value('Secret access key')).to.equal('a-secret-key');
    await continueToOptions(page);
    expect(await value('Secret name template')).to.equal('kept/{{ .SecretPath }}');
    await continueToSecrets(page);
    expect(await page.getByLabel('Secrets (one per line)').inputValue()).to.equal('app/db');
    await page.getByRole('navigation', { name: 'Main' }).getByText('Problems').click();
    await answer(page, 'Keep editing');
    expect(await page.getByLabel('Secrets (one per line)').inputValue()).to.equal('app/db');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
