import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = 'destinations/cloud1-sm/prod';
const HELD = 'Syncing is paused; the change is kept. The store is changed once that ends.';
const REPLACED =
  'Overwriting this entry, which root asked for, waits for the pause to end. This takes its place.';

describe('deciding in the console during a pause', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    await scene.link('app/taken');
    await scene.driver.settles('app/taken', 'CLIENT_SIDE_ERROR');
    await scene.sealift.client.post(`/v1/sys/sync/${STORE}/pause`, {});
    // However slow the tests are, its next try is not due.
    await scene.sealift.context.db('associations').update({ due_at: '2999-01-01T00:00:00Z' });
  });

  after(() => scene.close());

  const value = () => scene.fake.entries().find(({ name }) => name === 'app/taken')?.value;

  const openResume = async (page: Page, text: string): Promise<void> => {
    await page.getByRole('button', { name: /^Resume( syncing)?…$/ }).click();
    await page.getByRole('dialog').getByText(text, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
  };

  it('each question about a change in the store says that the destination is paused', async () => {
    const { page, context, faults } = await scene.signIn();
    const dialog = page.getByRole('dialog');
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    for (const button of ['Adopt this entry…', 'Overwrite this entry…', 'Sync now', 'Unlink…']) {
      await page.getByRole('button', { name: button, exact: true }).click();
      await dialog.getByText(HELD, { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: 'Give the link another name…' }).click();
    await dialog.getByLabel('Name in the store').fill('app/free');
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await dialog.getByText(HELD, { exact: true }).waitFor();
    await page.goto(`${scene.url}${STORE}/settings`);
    await page.getByRole('button', { name: 'Delete destination…' }).click();
    await dialog.getByText(HELD, { exact: true }).waitFor();
    await page.goto(`${scene.url}${STORE}`);
    await page.getByRole('button', { name: 'Link secrets', exact: true }).click();
    await dialog.getByText(HELD, { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a link tells of a decision that waits, and withdraws it', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    await openResume(page, 'No changes are waiting.');
    const status = page.getByRole('region', { name: 'Status' });
    const overwrite = status.getByRole('button', { name: 'Overwrite this entry…' });
    const notice = status.getByText(
      'Overwriting this entry was asked for by root and waits for the pause to end. A change that someone makes in the meantime to what Sealift has read there stays.',
      { exact: true },
    );
    const decide = async (): Promise<void> => {
      await overwrite.click();
      await answerDialog(page, 'Overwrite 1 entry', 'prod');
      await notice.waitFor();
    };
    await decide();
    expect(await status.getByRole('button', { name: /^(Adopt|Overwrite) this/ }).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await page.getByRole('dialog').getByText(REPLACED, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await status.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await notice.waitFor({ state: 'detached' });
    await openResume(page, 'No changes are waiting.');
    await page.getByRole('button', { name: 'Unlink…' }).click();
    await answerDialog(page, 'Unlink');
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    await status
      .getByText('Unlinking this secret was asked for by root and waits for the pause to end.')
      .waitFor();
    const offered = page.getByRole('button', { name: /^(Give the link|Adopt|Overwrite) / });
    expect(await offered.allInnerTexts()).to.deep.equal([]);
    await status.getByRole('button', { name: 'Withdraw', exact: true }).click();
    await decide();
    expect(value()).to.equal('of somebody else');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the question to resume never says that nothing waits while a decision does', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    await openResume(page, 'The changes of 1 link will be written or deleted at once.');
    await page.goto(`${scene.url}problems`);
    await page.getByText('Changes of 1 link are waiting.').waitFor();
    await client.post('/v1/sys/sync/pause', {});
    await client.post(`/v1/sys/sync/${STORE}/resume`, {});
    await page.goto(scene.url);
    await openResume(page, 'The changes of 1 link will be written or deleted at once.');
    await scene.link('app/other');
    await scene.waitForCounts({ PENDING: 1 });
    await page.reload();
    await openResume(page, 'The changes of 2 links will be written or deleted at once.');
    expect(value()).to.equal('of somebody else');
    await client.post('/v1/sys/sync/resume', {});
    await scene.driver.settles('app/taken', 'SYNCED');
    expect(value()).to.include('a-hidden-value');
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    await page.getByText('In sync').first().waitFor();
    expect(await page.getByText(/waits for the pause/).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a new version that writes a deleted entry again says so, and is counted where a pause ends', async () => {
    const { client } = scene.sealift;
    await client.post(`/v1/sys/sync/${STORE}/resume`, {});
    await scene.link('app/gone');
    await scene.driver.settles('app/gone', 'SYNCED');
    await client.post(`/v1/sys/sync/${STORE}/pause`, {});
    scene.fake.discard('app/gone');
    await client.post(`${scene.driver.path}/associations/verify`, {
      mount: 'secret',
      secret_name: 'app/gone',
    });
    await scene.driver.write('app/gone', { user: 'next' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/gone`);
    await page
      .getByText(
        /^Writing the deleted entry again waits for the pause to end, because root saved a new version\./,
      )
      .waitFor();
    expect(await page.getByText('To write the entry again').count()).to.equal(0);
    await page.goto(`${scene.url}${STORE}`);
    await page.getByRole('button', { name: /^Resume( syncing)?…$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/creates the entry that someone deleted in the store/).waitFor();
    expect(await dialog.getByText('No changes are waiting.').count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
