import { expect } from 'chai';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the page of a link whose secret has nothing to sync', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/gone');
    await scene.waitForCounts({ SYNCED: 1 });
    await scene.sealift.client.delete('/v1/secret/data/app/gone');
    await scene.waitForCounts({ UNSYNCED: 1 });
  });

  after(() => scene.close());

  it('the head says why, since when, and how it is synced again, and so does the history', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/gone`);
    const head = page.getByRole('region', { name: 'Status' });
    await head.getByText('its latest one is deleted or destroyed, or all are').waitFor();
    await head.getByText(/Deleted in the store/).waitFor();
    expect(await head.innerText()).to.not.include('Last written');
    const deletion = page.getByRole('row').filter({ hasText: 'Deleted the entry' });
    await deletion.getByText('v1 deleted by root').waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('There is no entry to compare.').waitFor();
    await head.getByRole('link', { name: 'Open the secret' }).click();
    await page.waitForURL(/secrets\/secret\/app\/gone$/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret that is restored is in sync again, and its link no longer says so', async () => {
    const { page, context, faults } = await scene.signIn();
    await scene.sealift.client.post('/v1/secret/undelete/app/gone', { versions: [1] });
    await scene.waitForCounts({ SYNCED: 1 });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/gone`);
    const head = page.getByRole('region', { name: 'Status' });
    await head.getByText(/Last written/).waitFor();
    expect(await head.innerText()).to.not.include('no version to sync');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
