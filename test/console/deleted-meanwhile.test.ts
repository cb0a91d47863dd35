import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('an edit of a secret that someone else deletes meanwhile', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  const stored = async (path: string) =>
    (await scene.sealift.client.get(`/v1/secret/data/${path}`)).body.data.data;

  /** Types a new password over version 1, while `meanwhile` happens, and presses the button that saves. */
  const typeWhile = async (page: Page, path: string, meanwhile: () => Promise<unknown>) => {
    await page.goto(`${scene.url}secrets/secret/${path}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: `Edit ${path}` });
    await dialog.getByRole('button', { name: 'Replace password' }).click();
    await dialog.getByLabel('New value of password').fill('mine');
    await meanwhile();
    await dialog.getByRole('button', { name: 'Save as v2' }).click();
    return dialog;
  };

  it('an edit of a version that is deleted stays, and is saved once the version is undeleted', async () => {
    const { client } = scene.sealift;
    await scene.driver.write('gone/deleted', { user: 'app', password: 'one' });
    const { page, context, faults } = await scene.signIn();
    const dialog = await typeWhile(page, 'gone/deleted', () => client.delete('/v1/secret/data/gone/deleted'));
    const alert = dialog.getByRole('alert');
    await alert.getByText('v1 was deleted by root while you were editing.').waitFor();
    expect(await dialog.getByLabel('New value of password').inputValue()).to.equal('mine');
    expect(await dialog.getByRole('button', { name: 'Save as v2', exact: true }).isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);

    const undelete = alert.getByRole('button', { name: 'Undelete v1 and go on…' });
    await undelete.click();
    const question = page.getByRole('dialog', { name: 'Undelete version 1' });
    await question.getByText('Its values will be readable again.').waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(await page.getByRole('dialog').count()).to.equal(1);
    await undelete.click();
    await question.getByRole('button', { name: 'Undelete v1', exact: true }).click();
    await alert.waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Save as v2', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
    expect(await stored('gone/deleted')).to.deep.equal({ user: 'app', password: 'mine' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an edit of a destroyed version is saved alone, after the page has said what is lost', async () => {
    const { client } = scene.sealift;
    await scene.driver.write('gone/destroyed', { user: 'app', password: 'one' });
    const { page, context, faults } = await scene.signIn();
    const dialog = await typeWhile(page, 'gone/destroyed', () =>
      client.post('/v1/secret/destroy/gone/destroyed', { versions: [1] }),
    );
    const alert = dialog.getByRole('alert');
    await alert.getByText('v1 was destroyed while you were editing.').waitFor();
    await alert.getByText('Without v1, v2 will have only what you typed: password.').waitFor();
    expect(await alert.getByRole('button', { name: /Undelete/ }).count()).to.equal(0);
    await alert.getByRole('button', { name: 'Save only what I typed as v2', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
    expect(await stored('gone/destroyed')).to.deep.equal({ password: 'mine' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an edit of a secret that is deleted as a whole is saved as a new secret', async () => {
    const { client } = scene.sealift;
    await scene.driver.write('gone/whole', { user: 'app', password: 'one' });
    const { page, context, faults } = await scene.signIn();
    const dialog = await typeWhile(page, 'gone/whole', () => client.delete('/v1/secret/metadata/gone/whole'));
    const alert = dialog.getByRole('alert');
    await alert.getByText('Someone deleted this secret with all its versions while you were').waitFor();
    await alert.getByText('A new secret at this path will have only what you typed: password.').waitFor();
    await page.locator(':focus', { hasText: 'Someone deleted this secret' }).waitFor();
    await page.getByText('The page shows what it was before.').waitFor();
    expect(await page.getByText('Not found').count()).to.equal(0);
    expect(await dialog.getByRole('button', { name: 'Save as v2', exact: true }).isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await alert.getByRole('button', { name: 'Save as a new secret' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: 'Keys of v1' }).waitFor();
    expect(await stored('gone/whole')).to.deep.equal({ password: 'mine' });
    expect(await page.getByText('The page shows what it was before.').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an edit is compared with a newer version once that is undeleted', async () => {
    const { client } = scene.sealift;
    await scene.driver.write('gone/newer', { user: 'app', password: 'one' });
    const { page, context, faults } = await scene.signIn();
    const dialog = await typeWhile(page, 'gone/newer', async () => {
      await scene.driver.write('gone/newer', { user: 'theirs', password: 'one' });
      await client.delete('/v1/secret/data/gone/newer');
    });
    await dialog.getByText('v2 was deleted by root while you were editing.').waitFor();
    await dialog.getByRole('button', { name: 'Undelete v2 and go on…' }).click();
    await page
      .getByRole('dialog', { name: 'Undelete version 2' })
      .getByRole('button', { name: 'Undelete v2', exact: true })
      .click();
    await dialog.getByText('root saved v2 while you were editing v1.').waitFor();
    await dialog.getByRole('button', { name: 'Reload and keep what I typed' }).click();
    await answerDialog(page, 'Save as v3');
    expect(await stored('gone/newer')).to.deep.equal({ user: 'theirs', password: 'mine' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a first version that is typed while someone else writes one stays, and overwrites nothing', async () => {
    await scene.sealift.client.post('/v1/secret/metadata/gone/first', { max_versions: 3 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/gone/first`);
    await page.getByRole('button', { name: 'Write the first version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write the first version of gone/first' });
    await dialog.getByLabel('Name of the new key').fill('user');
    await dialog.getByLabel('Value of the new key').fill('mine');
    await scene.driver.write('gone/first', { user: 'theirs' });
    // Who comes back to the page reads again what is older than some seconds.
    await eventually(async () => {
      await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
      return (await page.locator('#keys').count()) === 1;
    });
    await dialog.getByRole('button', { name: 'Save as v1', exact: true }).click();
    await dialog.getByText('Someone saved a version of secret/gone/first while you were typing.').waitFor();
    expect(await dialog.getByLabel('Value of the new key').inputValue()).to.equal('mine');
    expect(await stored('gone/first')).to.deep.equal({ user: 'theirs' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
