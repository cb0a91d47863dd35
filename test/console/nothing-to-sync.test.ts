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
    await head
      .getByText('all its versions are deleted or destroyed. Save a new version or restore a deleted one')
      .waitFor();
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

  it('the head offers no version to restore where the ones that could be synced are destroyed', async () => {
    await scene.link('app/ended');
    await scene.driver.settles('app/ended', 'SYNCED');
    await scene.driver.write('app/ended', { user: 'second' });
    const { client } = scene.sealift;
    await client.delete('/v1/secret/data/app/ended');
    await client.post('/v1/secret/destroy/app/ended', { versions: [2] });
    const { page, context, faults } = await scene.signIn();
    const head = page.getByRole('region', { name: 'Status' });
    const expectSaid = async (text: string): Promise<void> => {
      await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/ended`);
      await head.getByText(text).waitFor();
    };
    await scene.driver.patch({ on_latest_deleted: 'remove' });
    await scene.driver.settles('app/ended', 'UNSYNCED');
    await expectSaid('its latest one is destroyed. Save a new version, and Sealift syncs it by itself, or');
    await client.post('/v1/secret/destroy/app/ended', { versions: [1] });
    await scene.driver.patch({ on_latest_deleted: 'previous' });
    await expectSaid('all its versions are destroyed. Save a new version, and Sealift syncs it by itself');
    await client.delete('/v1/secret/metadata/app/ended');
    await expectSaid('The secret no longer exists. Create it again');
    expect(faults.filter((fault) => !fault.includes('404'))).to.deep.equal([]);
    await context.close();
  });
});
