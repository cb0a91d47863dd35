import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the page of a link whose newest version someone deletes', function () {
  let scene: ConsoleScene;
  let page: Page;
  let faults: string[];

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    for (const value of ['one', 'two', 'three']) await scene.driver.write('app/older', { value });
    await scene.driver.associate('app/older');
    await scene.waitForCounts({ SYNCED: 1 });
    ({ page, faults } = await scene.signIn());
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/older`);
  });

  after(async () => {
    expect(faults).to.deep.equal([]);
    await scene.close();
  });

  const post = (path: string, body: object = {}) => scene.sealift.client.post(`/v1/${path}`, body);
  const has = (value: string) =>
    eventually(() => scene.fake.entries().some((entry) => entry.value === `{"value":"${value}"}`));

  async function tells(why: string, what: RegExp, change: string): Promise<void> {
    const row = page.getByRole('row').filter({ hasText: what }).filter({ hasText: why });
    await row.first().waitFor();
    await page.getByRole('region', { name: 'Status' }).getByText(change).waitFor();
  }

  it('the page says who deleted a version, and that the one before was written again', async () => {
    await scene.sealift.client.delete('/v1/secret/data/app/older');
    await has('two');
    await tells(
      'v3 deleted by root',
      /Updated the entry \(back to version 2\)/,
      ', back to v2 because root deleted v3',
    );
  });

  it('the page says who restored a version, which takes its place again', async () => {
    await post('secret/undelete/app/older', { versions: [3] });
    await has('three');
    await tells('v3 restored by root', /Updated the entry \(version 3\)/, ', because root restored v3');
  });

  it('the page says who destroyed versions, and names them all', async () => {
    await post('secret/destroy/app/older', { versions: [2, 3] });
    await has('one');
    await tells(
      'v2 and v3 destroyed by root',
      /\(back to version 1\)/,
      ', back to v1 because root destroyed v2 and v3',
    );
  });

  it('a deletion that waits for a pause is not called a new version', async () => {
    for (const value of ['four', 'five']) await scene.driver.write('app/older', { value });
    await has('five');
    const [entry] = scene.fake.entries();
    scene.fake.plant({ name: String(entry?.name), value: 'by hand' });
    const ref = { mount: 'secret', secret_name: 'app/older' };
    await post(`sys/sync/destinations/cloud1-sm/prod/pause`);
    await post(`sys/sync/destinations/cloud1-sm/prod/associations/verify`, ref);
    await scene.sealift.client.delete('/v1/secret/data/app/older');
    await page.getByText('because root deleted v5.').waitFor();
    await post(`sys/sync/destinations/cloud1-sm/prod/resume`);
    await has('four');
  });

  it('the history says that the whole secret was deleted', async () => {
    await scene.sealift.client.delete('/v1/secret/metadata/app/older');
    await eventually(() => scene.fake.entries().length === 0);
    await tells('Secret deleted by root', /Deleted the entry/, ', because root deleted the secret');
  });
});
