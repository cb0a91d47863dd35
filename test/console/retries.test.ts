import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = 'destinations/cloud1-sm/prod';
const NAMES = ['one', 'two', 'three', 'four', 'five'].map((name) => `app/${name}`);

describe('retries of many links in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    for (const name of NAMES) await scene.link(name);
    await scene.waitForCounts({ SYNCED: NAMES.length });
  });

  after(() => scene.close());

  const entryOf = (name: string) => scene.fake.entries().find((one) => one.name === name);
  const ask = (what: string, secret_name: string) =>
    scene.sealift.client.post(`${scene.driver.path}/associations/${what}`, { mount: 'secret', secret_name });
  const change = (name: string, value: string): void => scene.fake.plant({ ...entryOf(name), name, value });

  const drift = async (name: string): Promise<void> => {
    change(name, 'an emergency fix by hand');
    expect((await ask('verify', name)).status).to.equal(200);
  };

  // The credentials may not delete, until that is mended.
  const failToUnlink = async (name: string): Promise<void> => {
    scene.fake.addFault({ kind: 'denied', operation: 'DeleteSecret', target: name });
    await ask('remove', name);
    await scene.driver.settles(name, 'CLIENT_SIDE_ERROR');
  };

  const barOf = (page: Page) => page.getByRole('region', { name: 'Selected links' });

  it('the result of an overwriting tells what was changed again apart from what fails', async () => {
    const changed = NAMES.slice(0, 3);
    for (const name of changed) await drift(name);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems`);
    const overwrite = page.getByRole('button', { name: /^Overwrite with our value/ });
    await overwrite.click();
    await page.getByRole('dialog').getByText('3 to overwrite').waitFor();
    change('app/two', 'another fix');
    scene.fake.addFault({ kind: 'denied', operation: 'PutSecretValue', target: 'app/three' });
    await answerDialog(page, 'Overwrite 3 entries', 'prod');
    await page
      .getByText(
        'Overwrote the changed entries of 1 link in prod (AWS Secrets Manager). 1 link is failing. 1 link was left alone, because someone changed its entry again in the store. See',
      )
      .waitFor();
    const result = page.getByRole('status').filter({ hasText: 'Overwrote' });
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(await result.getByRole('link').allInnerTexts()).to.have.members([
      'secret/app/two',
      'secret/app/three',
    ]);
    await result.getByRole('link', { name: 'secret/app/two' }).click();
    await page.getByRole('region', { name: 'Status' }).getByText('Changed in the store').waitFor();
    expect(entryOf('app/two')?.value).to.equal('another fix');
    scene.fake.clearFaults();
    await ask('set', 'app/three');
    await scene.driver.settles('app/three', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('several links that a retry left for one reason are one way to all of them', async () => {
    await drift('app/one');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems`);
    await page.getByRole('button', { name: /^Overwrite with our value/ }).click();
    await page.getByRole('dialog').getByText('2 to overwrite').waitFor();
    for (const name of ['app/one', 'app/two']) change(name, 'a third fix');
    await answerDialog(page, 'Overwrite 2 entries', 'prod');
    await page.getByText(/^No changed entry in prod .* was overwritten\. 2 links were left alone/).waitFor();
    await page.getByRole('link', { name: 'Changed in the store (2)' }).click();
    await page.getByLabel('Select all 2 links shown').waitFor();
    for (const name of ['app/one', 'app/two']) {
      await ask('set', name);
      await scene.driver.settles(name, 'SYNCED');
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change that comes while a retry of ticked links is asked about stays', async () => {
    for (const name of ['app/one', 'app/two']) await drift(name);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    for (const name of ['app/one', 'app/two', 'app/three'])
      await page.getByLabel(`Select secret/${name}`).check();
    await barOf(page).getByRole('button', { name: 'Retry selected (3)…' }).click();
    await page.getByRole('dialog').getByText('2 to overwrite').waitFor();
    change('app/two', 'a fourth fix');
    await answerDialog(page, 'Retry and change 2 entries', 'prod');
    await page.getByText(/1 link was left alone, because someone changed its entry/).waitFor();
    await scene.driver.settles('app/one', 'SYNCED');
    await scene.driver.settles('app/two', 'DRIFTED');
    expect(entryOf('app/two')?.value).to.equal('a fourth fix');
    await ask('set', 'app/two');
    await scene.driver.settles('app/two', 'SYNCED');
    await page.getByText(/1 link was left alone, because someone changed its entry/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a retry does not count a link that someone has unlinked meanwhile', async () => {
    await scene.link('app/short');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    for (const name of ['app/one', 'app/short']) await page.getByLabel(`Select secret/${name}`).check();
    await barOf(page).getByRole('button', { name: 'Retry selected (2)…' }).click();
    await page.getByRole('dialog').getByText('2 unchanged').waitFor();
    await ask('remove', 'app/short');
    await eventually(() => entryOf('app/short') === undefined);
    await eventually(async () => (await scene.driver.records('app/short')).length === 0);
    await answerDialog(page, 'Retry');
    await page
      .getByText(/^Retried 1 link of prod .*: it no longer fails\. 1 is no longer linked\./)
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a retry of ticked links goes on with an unlinking that failed, and says so before', async () => {
    await failToUnlink('app/four');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    for (const name of ['app/one', 'app/four']) await page.getByLabel(`Select secret/${name}`).check();
    await barOf(page).getByRole('button', { name: 'Retry selected (2)…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 link is being unlinked: its entries are deleted.').waitFor();
    await dialog.getByText('1 to delete').waitFor();
    scene.fake.clearFaults();
    await answerDialog(page, 'Retry and change 1 entry', 'prod');
    await page.getByText(/^Retried 2 links of prod .*: none of them is failing any more\./).waitFor();
    expect(entryOf('app/four')).to.equal(undefined);
    await barOf(page).waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a retry of all that a filter finds says how many of them are being unlinked', async () => {
    await failToUnlink('app/five');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}?status=CLIENT_SIDE_ERROR`);
    await page.getByLabel('Select secret/app/five').check();
    await page.getByRole('link', { name: 'All 4' }).click();
    await page.getByLabel('Select secret/app/three').check();
    await page.goBack();
    await barOf(page).getByText('2 selected').waitFor();
    await page.getByRole('button', { name: /^Retry 1/ }).click();
    await page
      .getByRole('dialog')
      .getByText('This link is being unlinked: its entries are deleted.')
      .waitFor();
    scene.fake.clearFaults();
    await answerDialog(page, 'Retry and change 1 entry', 'prod');
    await page.getByText(/^Retried 1 link of prod .*: it no longer fails\./).waitFor();
    await barOf(page).getByText('1 selected').waitFor();
    await eventually(() => expect(entryOf('app/five')).to.equal(undefined));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a link that a filter unlinks is no longer ticked, and every other one stays ticked', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}?q=app/t`);
    await page.getByLabel('Select all 2 links shown').check();
    await page.getByLabel('Filter by name').fill('app/three');
    await page.getByRole('button', { name: 'Unlink 1…' }).click();
    await answerDialog(page, 'Unlink and delete 1 entry', 'prod');
    await page.getByText(/^Asked to unlink 1 secret from prod\./).waitFor();
    await barOf(page).getByText('1 selected').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
