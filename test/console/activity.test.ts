import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { SHORT_LIMITS } from '../faults/short-limits.ts';
import { findBarriers } from './support/axe.ts';
import { goTo, NARROW } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = 'destinations/cloud1-sm/prod/history';
const READER = `path "secret/metadata/*" { capabilities = ["read", "list"] }
path "secret/subkeys/*" { capabilities = ["read"] }
path "secret/data/*" { capabilities = ["read"] }`;

describe('the activity of a secret and of a destination', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ ...SHORT_LIMITS, RETRY_MIN: '300', RETRY_MAX: '300' });
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });
  after(() => scene.close());

  const table = (page: Page) => page.getByRole('table');
  const rows = async (page: Page): Promise<string> => {
    await table(page).waitFor();
    return (await table(page).getByRole('row').allInnerTexts()).join('\n');
  };
  const attempts = async (): Promise<{ outcome: string; version: number | null }[]> => {
    const path = `${scene.driver.path}/associations/history?mount=secret&secret_name=app/db`;
    return (await scene.sealift.client.get(path)).body.data.history;
  };

  it('a write that the store confirms later is one line, with how it ended', async () => {
    // With the page in the browser before the write, whose outcome is to be confirmed for two short leases only.
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}activity/secret/app/db`);
    await rows(page);
    await goTo(page, scene.url);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    scene.fake.addFault({ kind: 'held', operation: 'PutSecretValue', times: 1 });
    await scene.driver.write('app/db', { user: 'second' });
    await eventually(async () => expect((await attempts())[0]?.outcome).to.equal('SYNCING'));
    await goTo(page, `${scene.url}activity/secret/app/db`);
    await table(page).getByText('To be confirmed').waitFor();
    scene.fake.clearFaults();
    await scene.driver.settles('app/db', 'SYNCED');
    expect((await attempts())[0]).to.include({ outcome: 'SYNCED', version: 2 });
    await page.reload();
    const taken = table(page).getByRole('row', { name: /Updated the entry \(version 2\)/ });
    await taken.waitFor();
    expect(await taken.count()).to.equal(1);
    expect(await taken.innerText()).to.include('In sync');
    expect(await rows(page)).to.not.match(/Syncing|To be confirmed/);
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    await page.getByText(/^Written once more .*, over whatever the entry had then/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the retries of an outage are one line that can be opened, also across pages', async () => {
    const count = (await attempts()).length;
    scene.fake.addFault({ kind: 'error' });
    await scene.driver.write('app/db', { user: 'third' });
    await eventually(async () => expect((await attempts()).length).to.be.above(count + 5));
    scene.fake.clearFaults();
    await scene.driver.settles('app/db', 'SYNCED');
    const failed = (await attempts()).filter(
      ({ outcome, version }) => outcome === 'EXTERNAL_SERVICE_ERROR' && version === 3,
    );
    const retries = failed.length - 1;
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}activity/secret/app/db`);
    await table(page)
      .getByText(new RegExp(`^Retried ${retries} times, [0-9:]{8} to [0-9:]{8}$`))
      .waitFor();
    await page.getByText('Show each attempt').click();
    expect(await page.getByRole('listitem').filter({ hasText: 'UTC' }).count()).to.equal(retries);
    expect(await findBarriers(page)).to.deep.equal([]);
    // Pages of five lines: the first ends within the outage.
    await page.route(/\/sys\/story\//, async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('limit', '5');
      await route.continue({ url: url.href });
    });
    await page.reload();
    await table(page)
      .getByText(/^Retried [2-5] times or more/)
      .waitFor();
    const more = page.getByRole('button', { name: 'Load more' });
    await eventually(async () => {
      if (await more.isVisible()) await more.click({ timeout: 1000 });
      return table(page).getByText('Saved version 1').isVisible();
    });
    await table(page)
      .getByText(new RegExp(`^Retried ${retries} times, `))
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a link folds the retries of an outage as the activity does', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    const history = page.getByRole('region', { name: 'History' });
    await history.getByText(/^Retried \d+ times, [0-9:]{8} to [0-9:]{8}$/).waitFor();
    // The first attempt, which the save caused, and the retries.
    expect(
      await history.getByRole('row').filter({ hasText: 'Tried to update the entry (version 3)' }).count(),
    ).to.equal(2);
    await history.getByText('Show each attempt').click();
    const each = history.getByRole('listitem').filter({ hasText: 'UTC' });
    expect(await each.count()).to.be.above(3);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret and a destination have the same filters, and say which of them find nothing', async () => {
    const { page, context, faults } = await scene.signIn();
    for (const [path, found] of [
      ['activity/secret/app/db', 'Saved version 1'],
      [STORE, 'Created the destination'],
    ] as const) {
      await page.goto(`${scene.url}${path}?who=nobody&outcome=refused&since=2026-01-02T00:00:00Z`);
      await page
        .getByText(/There is no entry from 2 Jan 2026.* by “nobody” with the outcome “Refused”\./)
        .waitFor();
      await page.getByRole('button', { name: 'Clear the filter' }).last().click();
      await page.getByText(found).waitFor();
      await page.getByLabel('Outcome', { exact: true }).selectOption('Refused');
      await page.getByText(/There is no entry with the outcome “Refused”\./).waitFor();
      await page.getByLabel('Outcome', { exact: true }).selectOption('Succeeded');
      await page.getByText(found).waitFor();
      expect(await findBarriers(page), path).to.deep.equal([]);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the activity of a secret shows changes without reads; a destination has no such choice', async () => {
    await scene.sealift.client.get('/v1/secret/data/app/db');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}activity/secret/app/db`);
    const read = table(page)
      .getByText(/^Read /)
      .first();
    await read.waitFor();
    const what = page.getByLabel('What', { exact: true });
    await what.selectOption('Changes');
    await read.waitFor({ state: 'detached' });
    await table(page).getByText('Saved version 1').waitFor();
    await what.selectOption('Values read');
    await read.waitFor();
    expect(await rows(page)).to.not.match(/Saved|the entry/);
    await page.getByLabel('Outcome', { exact: true }).selectOption('Refused');
    await page.getByText('There is no entry of “Values read” with the outcome “Refused”.').waitFor();
    await page.goto(`${scene.url}${STORE}?kind=read`);
    await page.getByText('Created the destination').waitFor();
    expect(await what.count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the time filter of a destination holds for its incidents and for its changes', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    await page.getByRole('region', { name: 'Incidents' }).getByRole('row').nth(1).waitFor();
    await page.getByLabel('Until').fill('2020-01-01T00:00');
    await page.getByText(/There is no incident until 1 Jan 2020/).waitFor();
    await page.getByText(/There is no entry until 1 Jan 2020/).waitFor();
    await page.getByLabel('Who', { exact: true }).fill('root');
    await page.keyboard.press('Enter');
    await page.getByText('Incidents are filtered by time alone.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).first().click();
    await page.getByText('Created the destination').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('people and destinations are links in both activities, and nothing is bold', async () => {
    const { page, context, faults } = await scene.signIn();
    for (const path of ['activity/secret/app/db', STORE]) {
      await page.goto(`${scene.url}${path}`);
      await table(page).last().getByRole('link', { name: 'root', exact: true }).first().waitFor();
      expect(await table(page).last().locator('strong').count(), path).to.equal(0);
    }
    const changes = page.getByRole('region', { name: 'Changes' });
    await changes.getByRole('link', { name: 'secret/app/db' }).first().click();
    await page.getByRole('link', { name: 'Activity', exact: true }).click();
    await page
      .getByText(/^Linked secret\/app\/db to/)
      .getByRole('link', { name: /prod/ })
      .click();
    await page.waitForURL(/destinations\/cloud1-sm\/prod$/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('both activities tell what a pause holds back as asked for, and not as done', async () => {
    const { client } = scene.sealift;
    const store = '/v1/sys/sync/destinations/cloud1-sm/prod';
    const link = { mount: 'secret', secret_name: 'app/db' };
    const post = async (path: string, body: object): Promise<void> => {
      expect((await client.post(`${store}/${path}`, body)).status, path).to.be.below(300);
    };
    await post('pause', {});
    await post('associations/set', { ...link, conflict_policy: 'overwrite' });
    await post('associations/remove', link);
    await post('associations/withdraw', link);
    await post('resume', {});
    const { page, context, faults } = await scene.signIn();
    for (const path of ['activity/secret/app/db', STORE]) {
      await page.goto(`${scene.url}${path}`);
      for (const words of ['Asked to overwrite the entry of secret/app/db', 'Asked to unlink secret/app/db'])
        await table(page).last().getByRole('row').filter({ hasText: words }).first().waitFor();
      expect(await page.getByText(/^(Overwrote|Unlinked) /).count(), path).to.equal(0);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a button folds the filters of both activities on a phone, and says how many are set', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    for (const path of ['activity/secret/app/db', STORE]) {
      await page.goto(`${scene.url}${path}`);
      await table(page).last().waitFor();
      const who = page.getByLabel('Who', { exact: true });
      expect(await who.count(), path).to.equal(0);
      await page.getByRole('button', { name: 'Filters', exact: true, expanded: false }).click();
      await who.waitFor();
      await page.getByLabel('Outcome', { exact: true }).selectOption('Succeeded');
      await page.getByRole('button', { name: 'Filters (1 set)', expanded: true }).click();
      await who.waitFor({ state: 'detached' });
      expect(await findBarriers(page), path).to.deep.equal([]);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an entry that already had the value is told in both histories as nothing to change', async () => {
    const before = (await attempts()).length;
    await scene.driver.associate('app/db');
    await eventually(async () => (await attempts()).length > before);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}activity/secret/app/db`);
    await table(page)
      .getByText(/Nothing to change in the entry \(version \d\) in prod/)
      .waitFor();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    await table(page)
      .getByText(/^Nothing to change in the entry \(version \d\)/)
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an auditor learns which rules show the effects of changes, and sees no value by them', async () => {
    const { client } = scene.sealift;
    const policies = readFileSync('docs/policies.md', 'utf8').split('```hcl\n');
    const [trail = '', effects = ''] = ['api/v2/admin/audit-events', 'sys/story/*'].map(
      (path) => policies.find((text) => text.startsWith(`path "${path}"`))?.split('```')[0],
    );
    await client.post('/v1/sys/policies/acl/trail', { policy: trail });
    const made = await client.post('/v1/auth/token/create', { policies: ['trail', 'effects'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}audit`);
    await page.getByText('that of a secret needs permissions of its own').waitFor();
    await page.goto(`${scene.url}activity/secret/app/db`);
    await page.getByText('Show the missing rule').click();
    const rules = await page.locator('main pre').innerText();
    expect(rules).to.contain('sys/story/secret/app/db').and.to.contain('secret/metadata/app/db');

    await client.post('/v1/sys/policies/acl/effects', { policy: effects });
    await table(page).getByText('Saved version 1').waitFor();
    await page.goto(`${scene.url}${STORE}`);
    await page.getByRole('region', { name: 'Attempts' }).getByText('Created the entry (version 1)').waitFor();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    expect(await page.getByRole('button', { name: /^Reveal / }).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever may read a secret but not its activity is told why and which right is missing', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/policies/acl/reader', { policy: READER });
    const made = await client.post('/v1/auth/token/create', { policies: ['reader'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}activity/secret/app/db`);
    await page.getByText(/needs a right of its own: “read” on sys\/story\/secret\/app\/db\./).waitFor();
    await page.getByRole('link', { name: 'Secret', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys of v3' }).waitFor();
    expect(await page.getByRole('button', { name: 'Activity' }).isDisabled()).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
