import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import { createSyncDriver } from '../support/sync-driver.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = 'destinations/cloud1-sm/prod/history';

describe('the attempts in the activity of a destination', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ RETRY_MIN: '60000', RETRY_MAX: '60000' });
    scene.fake.plant({ name: 'app/taken', value: 'theirs' });
    await scene.link('app/db');
    await scene.driver.settles('app/db', 'SYNCED');
    await scene.link('app/taken');
    await scene.driver.settles('app/taken', 'CLIENT_SIDE_ERROR');
    const other = createSyncDriver(scene.sealift, 'cloud1-sm', 'empty');
    expect((await other.configure(cloud1Settings('us-east-1'))).status).to.equal(200);
  });
  after(() => scene.close());

  const attempts = (page: Page) => page.getByRole('region', { name: 'Attempts' });
  const row = (page: Page, name: string) => attempts(page).getByRole('row').filter({ hasText: name });

  it('the activity of a destination tells what was written there, by whom, and how it ended', async () => {
    for (const size of [undefined, NARROW]) {
      const { page, context, faults } = await scene.signIn(size ? { size } : {});
      await page.goto(`${scene.url}${STORE}`);
      const written = await row(page, 'secret/app/db').innerText();
      expect(written).to.match(/root[^]*Created the entry \(version 1\)\s*Entry app\/db[^]*In sync/);
      const refused = await row(page, 'secret/app/taken').innerText();
      expect(refused).to.match(/root[^]*Tried to create the entry \(version 1\)[^]*Needs attention/);
      expect(await findBarriers(page)).to.deep.equal([]);
      await row(page, 'secret/app/db').getByRole('link', { name: 'secret/app/db' }).click();
      await page.waitForURL(/destinations\/cloud1-sm\/prod\/secret\/secret\/app\/db$/);
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  it('the filters hold for attempts too, and say what they leave out', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}?outcome=failed`);
    await row(page, 'secret/app/taken').waitFor();
    expect(await row(page, 'secret/app/db').count()).to.equal(0);
    await page.getByText('Who and Outcome filter the attempts and changes below.').waitFor();
    await page.getByLabel('Outcome', { exact: true }).selectOption('Refused');
    await page
      .getByText(
        'There is no attempt with the outcome “Refused”. What a store refuses has the outcome “Failed”.',
      )
      .waitFor();
    await page.goto(`${scene.url}${STORE}?who=nobody`);
    await page.getByText('There is no attempt by “nobody”.').waitFor();
    await attempts(page).getByRole('button', { name: 'Clear the filter' }).click();
    await row(page, 'secret/app/db').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('older attempts at a destination are a click away', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.route(/\/attempts\?/, async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '1');
      await route.continue({ url: url.href });
    });
    await page.goto(`${scene.url}${STORE}`);
    await row(page, 'secret/app/taken').waitFor();
    expect(await row(page, 'secret/app/db').count()).to.equal(0);
    await attempts(page).getByRole('button', { name: 'Load more' }).click();
    await row(page, 'secret/app/db').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a destination where nothing was written says so', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/empty/history`);
    await attempts(page).getByText('No attempts recorded').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever may not read the attempts at a destination learns which rule is missing', async () => {
    const { client } = scene.sealift;
    const rules = ['', '/history', '/incidents', '/associations'].map(
      (end) => `path "sys/sync/destinations/cloud1-sm/prod${end}" { capabilities = ["read"] }`,
    );
    await client.post('/v1/sys/policies/acl/changes', { policy: rules.join('\n') });
    const made = await client.post('/v1/auth/token/create', { policies: ['changes'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}${STORE}`);
    await page.getByRole('region', { name: 'Changes' }).getByText('Created the destination').waitFor();
    await attempts(page).getByText('Show the missing rule').click();
    const rule = await attempts(page).locator('pre').innerText();
    expect(rule).to.contain('sys/sync/destinations/cloud1-sm/prod/attempts');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('attempts at a store that limits its rate are one line after the first of them', async () => {
    await scene.link('app/limited');
    await scene.driver.settles('app/limited', 'SYNCED');
    scene.fake.addFault({ kind: 'throttle', operation: 'PutSecretValue' });
    await scene.driver.write('app/limited', { user: 'two' });
    const limited = async (): Promise<unknown[]> => {
      const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=app/limited`;
      const { history } = (await scene.sealift.client.get(path)).body.data;
      return history.filter(
        ({ cause }: { cause: { code: string } | null }) => cause?.code === 'rate_limited',
      );
    };
    await eventually(async () => expect((await limited()).length).to.be.above(3));
    scene.fake.clearFaults();
    await scene.driver.settles('app/limited', 'SYNCED');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/limited`);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText(`Retried ${(await limited()).length - 1} times`).waitFor();
    expect(await history.getByRole('row').filter({ hasText: 'Rate limited' }).count()).to.equal(2);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
