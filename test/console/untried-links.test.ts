import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Worker } from '../support/sandboxed.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the page of a link whose last change was not tried yet', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    // A call that is held lasts longer than the test waits.
    scene = await openConsoleScene({ CALL_TIMEOUT: '60000', LEASE: '180000' });
    for (const path of ['app/first', 'app/second']) {
      await scene.link(path);
      await scene.driver.settles(path, 'SYNCED');
    }
  });

  after(() => scene.close());

  it('the page of a link that waits its turn at a failing store says so, and what becomes of it', async () => {
    scene.fake.addFault({ kind: 'error', status: 503, target: 'app/first' });
    await scene.driver.write('app/first', { v: 'newer' });
    await scene.driver.settles('app/first', 'EXTERNAL_SERVICE_ERROR');
    await scene.worker.stop();
    await scene.sealift.client.call('DELETE', '/v1/secret/data/app/second');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/second`);
    const status = page.getByRole('region', { name: 'Status' });
    const waits = status.getByText(
      /^Other links of this destination have failed for \d+ s.* waits for its turn\.$/,
    );
    await waits.waitFor();
    await status.getByText(/^The secret has no version to sync/).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    const removal = { mount: 'secret', secret_name: 'app/second' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/remove`, removal);
    await status.getByText(/Its entry stays in the store until that no longer fails/).waitFor();
    await waits.waitFor();
    await scene.sealift.client.post('/v1/secret/undelete/app/second', { versions: [1] });
    await scene.driver.write('app/second', { v: 'newer' });
    await scene.driver.associate('app/second');
    await waits.waitFor();
    scene.fake.addFault({ kind: 'held', target: 'app/second' });
    await scene.sealift.start('worker', cloud1Worker(scene.fake));
    await eventually(async () =>
      expect((await scene.driver.records('app/second'))[0]?.running).to.equal(true),
    );
    await waits.waitFor({ state: 'detached' });
    expect((await scene.driver.records('app/second'))[0]?.running, 'it is still tried').to.equal(true);
    scene.fake.clearFaults();
    await scene.driver.settles('app/second', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a new version that waits says that it overwrites a change in the store', async () => {
    const entry = scene.fake.entries().find(({ name }) => name === 'app/second');
    scene.fake.plant({ ...entry, name: 'app/second', value: 'of a colleague' });
    const wanted = { mount: 'secret', secret_name: 'app/second' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, wanted);
    await scene.driver.settles('app/second', 'DRIFTED');
    scene.fake.addFault({ kind: 'held', target: 'app/second' });
    await scene.driver.write('app/second', { v: 'newer' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/second`);
    const status = page.getByRole('region', { name: 'Status' });
    await status
      .getByText(
        /^Sealift (waits|goes on trying) to write its own value, which overwrites what is in the store\.$/,
      )
      .waitFor();
    await status.getByText(/^To keep the store’s value, pause this destination first, then copy/).waitFor();
    expect(await status.getByText(/^The next new version of this secret/).count()).to.equal(0);
    scene.fake.clearFaults();
    await scene.driver.settles('app/second', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

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

  it('the page says that its destination fails, and that the link waits for that', async () => {
    scene.fake.addFault({ kind: 'revoked' });
    await scene.driver.write('app/first', { v: 2 });
    await scene.driver.settles('app/first', 'CLIENT_SIDE_ERROR');
    await scene.driver.write('app/second', { v: 2 });
    await scene.driver.settles('app/second', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/second`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Destination failing for \d+ s/).waitFor();
    await status.getByText(/^The store said so of another request for this destination\./).waitFor();
    expect(await status.getByText(/^Failing for/).count()).to.equal(0);
    expect(await status.getByText(/Request ID/).count()).to.equal(0);
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/first`);
    await status.getByText(/Request ID of the store/).waitFor();
    await status.getByText(/^Failing for \d+ s/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
