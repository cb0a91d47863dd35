import { expect } from 'chai';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the page of a link whose entry somebody deleted and made again', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/again');
    await scene.driver.settles('app/again', 'SYNCED');
  });

  after(() => scene.close());

  it('a new version leaves the entry alone, and the page says what Sync now and Unlink do', async () => {
    scene.fake.discard('app/again');
    scene.fake.plant({ name: 'app/again', value: 'of somebody else' });
    const secret = { mount: 'secret', secret_name: 'app/again' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, secret);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/again`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^What is there now is no longer Sealift’s entry/).waitFor();
    await status.getByText(/^The next new version of this secret leaves this entry alone/).waitFor();
    await status.getByText('Unlink leaves the entry in the store.', { exact: true }).waitFor();
    expect(await status.getByText(/^The next new version of this secret overwrites/).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText(/someone deleted this entry and made it again/i)
      .waitFor();
    await answerDialog(page, 'Write 1 entry', 'prod');
    await status.getByText('In sync').waitFor();
    expect(scene.fake.entries()[0]?.value).to.include('a-hidden-value');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a version that waits for a pause leaves it alone, and the page says so', async () => {
    await scene.link('app/later');
    await scene.driver.settles('app/later', 'SYNCED');
    scene.fake.discard('app/later');
    scene.fake.plant({ name: 'app/later', value: 'of somebody else' });
    const secret = { mount: 'secret', secret_name: 'app/later' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, secret);
    await scene.sealift.client.post(`${scene.driver.path}/pause`, {});
    await scene.driver.write('app/later', { user: 'next' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/later`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Once the pause ends, the new version leaves this entry alone/).waitFor();
    expect(await status.getByText(/^Overwriting what someone changed/).count()).to.equal(0);
    await scene.sealift.client.post(`${scene.driver.path}/resume`, {});
    await status.getByText('Entry is not ours').first().waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
