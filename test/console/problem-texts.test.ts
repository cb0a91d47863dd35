import { openConsoleScene, type ConsoleScene } from './support/scene.ts';
import { expect } from 'chai';

describe('a problem of several links in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    scene.fake.addFault({ kind: 'denied', operation: 'PutSecretValue' });
    await scene.link('app/written');
    await scene.driver.settles('app/written', 'SYNCED');
    scene.fake.addFault({ kind: 'denied', operation: 'CreateSecret' });
    for (const name of ['app/new', 'app/written']) await scene.link(name, { user: 'other' });
    await scene.waitForCounts({ CLIENT_SIDE_ERROR: 2 });
  });

  after(() => scene.close());

  it('links that lack different permissions are told with each of them', async () => {
    const { page, context, faults } = await scene.signIn();
    for (const path of ['problems', 'destinations/cloud1-sm/prod']) {
      await page.goto(`${scene.url}${path}`);
      await page.getByText('Not the same for each link:').waitFor();
      const texts = await page.getByRole('main').getByRole('listitem').allInnerTexts();
      expect(texts.filter((text) => text.includes('CreateSecret')).length, path).to.equal(1);
      expect(texts.filter((text) => text.includes('PutSecretValue')).length, path).to.equal(1);
      expect(await page.getByText('For example').count()).to.equal(0);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
