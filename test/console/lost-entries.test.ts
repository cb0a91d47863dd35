import { expect } from 'chai';
import { linkKeyed } from './support/keyed.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('an entry that somebody else has replaced or changed', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ RETRY_MIN: '2000' });
  });

  after(() => scene.close());

  it('a change in the entry of the only key of a link is overwritten by each new version', async () => {
    const keys = await linkKeyed(scene, { only: 'ours' });
    await scene.waitForCounts({ SYNCED: 1 });
    const entry = scene.fake.entries().find(({ name }) => name === 'keyed/only');
    scene.fake.plant({ ...entry, name: 'keyed/only', value: 'theirs' });
    const secret = { mount: 'secret', secret_name: 'keyed' };
    await scene.sealift.client.post(`${keys}/associations/verify`, secret);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/keyed`);
    await page
      .getByText(
        'The next new version of this secret overwrites this change. To put that off, pause the destination.',
      )
      .waitFor();
    await scene.sealift.client.post(`${keys}/pause`, {});
    await page.reload();
    await page
      .getByText('The next new version of this secret overwrites this change once the pause ends.', {
        exact: true,
      })
      .waitFor();
    await scene.sealift.client.post(`${keys}/resume`, {});
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('no version of ours is told to be in the store while a decision about it fails', async () => {
    await scene.link('app/lost');
    await scene.driver.settles('app/lost', 'SYNCED');
    scene.fake.discard('app/lost');
    scene.fake.plant({ name: 'app/lost', value: 'of somebody else' });
    await scene.driver.write('app/lost', { v: 2 });
    await scene.driver.settles('app/lost', 'CLIENT_SIDE_ERROR');
    scene.fake.addFault({ kind: 'error', status: 503 });
    await scene.sealift.client.post(`${scene.driver.path}/associations/set`, {
      mount: 'secret',
      secret_name: 'app/lost',
      conflict_policy: 'overwrite',
    });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/lost`);
    await page.getByRole('region', { name: 'Status' }).getByText('Store failed').waitFor();
    const entries = page.getByRole('region', { name: 'In the store' });
    await entries.getByText('v2 (when last read, the store had an entry that isn’t Sealift’s)').waitFor();
    expect(await entries.getByText('store has v1').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
