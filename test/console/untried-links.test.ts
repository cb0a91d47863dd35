import { expect } from 'chai';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the page of a link whose last change was not tried yet', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    for (const path of ['app/first', 'app/second']) {
      await scene.link(path);
      await scene.driver.settles(path, 'SYNCED');
    }
  });

  after(() => scene.close());

  it('a link with the newest version waits for a rate limit, and is not called out of sync', async () => {
    scene.fake.addFault({ kind: 'throttle', retryAfterSeconds: 3 });
    await scene.driver.associate('app/second');
    await scene.driver.settles('app/second', 'THROTTLED');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/second`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Waiting for \d+ s/).waitFor();
    expect(await status.getByText('Out of sync').count()).to.equal(0);
    scene.fake.clearFaults();
    await scene.driver.settles('app/second', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page says that its destination fails, and that the change waits since it was made', async () => {
    scene.fake.addFault({ kind: 'revoked' });
    await scene.driver.write('app/first', { v: 2 });
    await scene.driver.settles('app/first', 'CLIENT_SIDE_ERROR');
    await scene.driver.write('app/second', { v: 2 });
    await scene.driver.settles('app/second', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/second`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Destination failing for \d+ s/).waitFor();
    await status.getByText(/^The last change of this link, \d+ s ago.*, has not been tried yet\.$/).waitFor();
    expect(await status.getByText(/^Failing for/).count()).to.equal(0);
    expect(await status.getByText(/Request ID/).count()).to.equal(0);
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/first`);
    await status.getByText(/Request ID of the store/).waitFor();
    await status.getByText(/^Failing for \d+ s/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
