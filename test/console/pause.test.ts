import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = 'destinations/cloud1-sm/prod';

describe('pausing in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  const change = async (path: string, value: string): Promise<void> => {
    const answer = await scene.sealift.client.post(`/v1/secret/data/${path}`, { data: { value } });
    expect(answer.status).to.equal(200);
  };

  it('a destination is paused with a reason, says so on its pages, and goes on when resumed', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    await page.getByRole('button', { name: 'Pause…', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('the account is being moved');
    await dialog.getByLabel('Until').fill('2020-01-01T08:00');
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await dialog.getByText('Enter a time in the future.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'In 1 hour' }).click();
    const chosen = Date.parse(await dialog.getByLabel('Until').inputValue()) - Date.now();
    expect(chosen).to.be.within(58 * 60_000, 60 * 60_000);
    await dialog.getByRole('button', { name: 'Next 8:00' }).click();
    expect(await dialog.getByLabel('Until').inputValue()).to.match(/T08:00$/);
    await dialog.getByLabel('Until').fill('');
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('This destination is paused.').waitFor();
    await page.getByText(/Paused by root .*: the account is being moved/).waitFor();
    await page.goto(`${scene.url}problems`);
    await page.getByText(/is paused by root .*: the account is being moved/).waitFor();
    expect(await page.getByText('No problems').count()).to.equal(0);
    await page.goto(scene.url);
    await page
      .getByRole('region', { name: 'Status of all links' })
      .getByText('prod (AWS Secrets Manager) is paused.')
      .waitFor();
    await change('app/db', 'two');
    await scene.waitForCounts({ PENDING: 1 });
    await page.goto(`${scene.url}${STORE}/secret/secret/app/db`);
    await page
      .getByRole('region', { name: 'Status' })
      .getByText(/^Paused for \d/)
      .waitFor();
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await dialog.getByText(/the change is kept. The store is changed once that ends.$/).waitFor();
    await page.keyboard.press('Escape');
    for (const path of [`${STORE}/settings`, `${STORE}/history`]) {
      await page.goto(`${scene.url}${path}`);
      await page.getByText('This destination is paused.').waitFor();
    }
    await page.goto(scene.url);
    await page.getByRole('cell', { name: 'Paused', exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.goto(`${scene.url}${STORE}`);
    await page.getByRole('button', { name: 'Resume…', exact: true }).click();
    await dialog.getByText(/^root paused it at .*: the account is being moved$/).waitFor();
    await dialog.getByText('The changes of 1 link will be written or deleted at once.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await page.getByText('This destination is paused.').waitFor();
    await page.getByRole('button', { name: 'Resume…', exact: true }).click();
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText('This destination is paused.').waitFor({ state: 'detached' });
    await page.getByText('Syncing to prod goes on. 1 link is tried now.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await scene.waitForCounts({ SYNCED: 1 });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a question to pause that somebody else has answered meanwhile says who and why', async () => {
    const { client } = scene.sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'petra' });
    const asPetra = { token: made.body.auth.client_token };
    const store = '/v1/sys/sync/destinations/cloud1-sm/prod';
    for (const [address, path, button] of [
      [STORE, store, 'Pause…'],
      ['', '/v1/sys/sync', 'Pause syncing…'],
    ] as const) {
      const { page, context, faults } = await scene.signIn();
      await page.goto(`${scene.url}${address}`);
      await page.getByRole('button', { name: button, exact: true }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Reason').fill('mine');
      await client.post(`${path}/pause`, { reason: 'an audit' }, asPetra);
      await page.getByText(/^Paused by petra .*: an audit$/).waitFor();
      await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
      await dialog.getByText(/^Not paused again\. petra paused it at .*: an audit$/).waitFor();
      await client.post(`${path}/pause`, { reason: 'a longer audit' });
      await page.keyboard.press('Escape');
      await page.reload();
      await page.getByText(/^Paused .*, changed by root .*: a longer audit$/).waitFor();
      await client.post(`${path}/resume`, {});
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  it('syncing as a whole is paused and resumed on the overview, and each destination says so', async () => {
    const { page, context, faults } = await scene.enter();
    await page.getByRole('button', { name: 'Pause syncing…' }).click();
    await page.getByLabel('Reason').fill('the network is being changed');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByText('Syncing is paused. Changes are queued.').first().waitFor();
    await page.getByRole('cell', { name: '1 in sync' }).waitFor();
    expect(await page.getByRole('cell', { name: 'Paused', exact: true }).count()).to.equal(0);
    await change('app/db', 'three');
    await scene.waitForCounts({ PENDING: 1 });
    await scene.sealift.context.db('associations').update({ due_at: new Date(Date.now() - 300_000) });
    await page.reload();
    await page.getByRole('cell', { name: 'Paused', exact: true }).waitFor();
    // It is no worker's fault that nothing takes the old change.
    expect(await page.getByText(/Worker not responding|No worker takes/).count()).to.equal(0);
    await page.goto(`${scene.url}${STORE}`);
    await page.getByText(/Paused by root .*: the network is being changed/).waitFor();
    await page.goto(`${scene.url}problems`);
    await page.getByText(/Paused by root .*: the network is being changed/).waitFor();
    expect(await page.getByText('No problems').count()).to.equal(0);
    await page.goto(scene.url);
    await page.getByRole('button', { name: 'Resume syncing…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByRole('button', { name: 'Pause syncing…' }).waitFor();
    await page.getByText('Syncing is paused.').waitFor({ state: 'detached' });
    await page.getByText('Syncing goes on. 1 link is tried now.').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the overview calls all that waits paused during a pause, also what was rate limited before', async () => {
    const { client } = scene.sealift;
    await scene.link('app/limited');
    await scene.waitForCounts({ SYNCED: 2 });
    scene.fake.addFault({
      kind: 'throttle',
      operation: 'PutSecretValue',
      status: 429,
      retryAfterSeconds: 5,
    });
    await change('app/limited', 'two');
    await scene.waitForCounts({ THROTTLED: 1 });
    await client.post('/v1/sys/sync/pause', { reason: 'a move' });
    await change('app/db', 'four');
    await scene.waitForCounts({ PENDING: 2 });
    const { page, context, faults } = await scene.enter();
    const all = page.getByRole('region', { name: 'Status of all links' });
    await all.getByText('0 of 2 links are in sync: 2 paused.').waitFor();
    await all.getByText('2 paused', { exact: true }).waitFor();
    await page.getByRole('cell', { name: '2 paused' }).waitFor();
    expect(await page.getByText(/pending/i).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await scene.sealift.context.db('destinations').update({ throttled_until: '2999-01-01T00:00:00Z' });
    await page.reload();
    await page.getByRole('button', { name: 'Resume syncing…' }).click();
    await page
      .getByText(/^The changes of 2 links will be written or deleted, once no rate limit or other pause/)
      .waitFor();
    await scene.sealift.context.db('destinations').update({ throttled_until: null });
    scene.fake.clearFaults();
    await client.post('/v1/sys/sync/resume', {});
    await scene.waitForCounts({ SYNCED: 2 });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a pause does not hide since when a link drifts, and its row says that, too', async () => {
    const { client, context: service } = scene.sealift;
    const entry = scene.fake.entries().find(({ name }) => name === 'app/db');
    scene.fake.plant({ ...entry, name: 'app/db', value: 'changed by hand' });
    const body = { mount: 'secret', secret_name: 'app/db' };
    await client.post(`/v1/sys/sync/destinations/cloud1-sm/prod/associations/verify`, body);
    await client.post('/v1/sys/sync/pause', { reason: 'a move' });
    const since = new Date(Date.now() - 3 * 86_400_000);
    await service.db('entries').whereNotNull('drift').update({ drift_since: since });
    await service.db('sync_incidents').where({ code: 'changed_outside' }).update({ opened_at: since });
    const { page, context, faults } = await scene.enter();
    await page.getByRole('cell', { name: /^Drifted for .* \(paused\)$/ }).waitFor();
    await page.goto(`${scene.url}${STORE}`);
    await page.getByText('Since', { exact: true }).waitFor();
    await page.getByRole('link', { name: /app\/db.*Drifted.*3 d ago/ }).waitFor();
    await client.post('/v1/sys/sync/resume', {});
    await client.post(`/v1/sys/sync/destinations/cloud1-sm/prod/associations/set`, body);
    await scene.driver.settles('app/db', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('rows of links say paused while their destination is, and so do the filters', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/sync/destinations/cloud1-sm/prod/pause', { reason: 'a move' });
    await change('app/db', 'five');
    await scene.waitForCounts({ PENDING: 1 });
    const { page, context, faults } = await scene.signIn();
    const isPaused = async (address: string, ...rows: Locator[]): Promise<void> => {
      await page.goto(`${scene.url}${address}`);
      for (const row of rows) await row.getByText('Paused', { exact: true }).first().waitFor();
      expect(await page.getByText('Pending', { exact: true }).count(), address).to.equal(0);
    };
    await isPaused(STORE, page.getByRole('link', { name: /app\/db/ }));
    await page.getByRole('link', { name: 'Paused 1' }).click();
    await page.waitForURL(/status=PENDING/);
    await page.getByRole('link', { name: /app\/db.*Paused/ }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await isPaused(
      `${STORE}/secret/secret/app/db`,
      page.getByRole('region', { name: 'Status' }),
      page.getByRole('region', { name: 'In the store' }),
    );
    await isPaused('secrets/secret/app/', page.getByRole('row', { name: /db/ }));
    await isPaused('secrets/secret/app/db', page.getByRole('region', { name: 'Synced to' }));
    await isPaused('links?q=app%2Fdb', page.getByRole('row', { name: /app\/db/ }));
    await page.getByLabel('Status').selectOption('Pending or paused');
    await page.waitForURL(/status=PENDING/);
    await page.getByRole('row', { name: /app\/db.*Paused/ }).waitFor();
    await isPaused('destinations?sort=status', page.getByRole('link', { name: /prod/ }));
    await page.getByRole('heading', { name: 'Pending or paused 1' }).waitFor();
    await client.post('/v1/sys/sync/destinations/cloud1-sm/prod/resume', {});
    await scene.driver.settles('app/db', 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the activity of a destination tells of a pause at once, with its reason and its end', async () => {
    const { client } = scene.sealift;
    const made = await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'bob' });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}${STORE}/history`);
    const dialog = page.getByRole('dialog');
    const changes = page.getByRole('region', { name: 'Changes' });
    await page.getByRole('button', { name: 'Pause…', exact: true }).click();
    await dialog.getByLabel('Reason').fill('a third move');
    await dialog.getByRole('button', { name: 'Next 8:00' }).click();
    await dialog.getByRole('button', { name: 'Pause', exact: true }).click();
    await changes
      .getByRole('row', { name: /bob.*Paused \(“a third move”, until .*8:00:00.*\).*Succeeded/s })
      .waitFor({ timeout: 5000 });
    expect(await changes.getByText('End not recorded').count()).to.equal(0);
    await page.getByText(/Paused by bob .*: a third move/).waitFor();
    await page.getByRole('button', { name: 'Resume…', exact: true }).click();
    await dialog.getByText(/^bob paused it at .*: a third move$/).waitFor();
    await dialog.getByRole('button', { name: 'Resume', exact: true }).click();
    await changes.getByRole('row', { name: /bob.*Resumed.*Succeeded/s }).waitFor({ timeout: 5000 });
    // What somebody else does is there without a reload, also for all destinations.
    await client.post('/v1/sys/sync/pause', { reason: 'a quiet hour' });
    await client.post('/v1/sys/sync/resume', {});
    await changes
      .getByRole('row', { name: /Paused syncing to all destinations \(“a quiet hour”\)/ })
      .waitFor();
    await changes
      .getByRole('row', { name: /Resumed syncing to all/ })
      .first()
      .waitFor();
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('link', { name: 'Changes' })
      .click();
    await page.waitForURL(/history#changes$/);
    await scene.driver.associate('app/db');
    await changes.getByRole('row', { name: /root.*Asked to sync.*app\/db.*Succeeded/s }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an entry whose end is not written yet is in progress, and is read again until it has one', async () => {
    const { page, context, faults } = await scene.signIn();
    let reads = 0;
    await page.route(/\/history\?/, async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      reads += 1;
      // As if the first two reads had come before the end was written.
      if (reads <= 2)
        Object.assign(body.data.history[0], { outcome: 'attempted', at: new Date().toISOString() });
      await route.fulfill({ response: answer, json: body });
    });
    await page.goto(`${scene.url}${STORE}/history`);
    const first = page.getByRole('region', { name: 'Changes' }).getByRole('row').nth(1);
    await first.getByText('In progress').waitFor();
    expect(await first.innerText()).to.match(/Began to/);
    await first.getByText('Succeeded').waitFor();
    expect(reads).to.equal(3);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
