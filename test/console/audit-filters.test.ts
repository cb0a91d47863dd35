import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the filters of the audit page', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    await scene.link('shop/mail');
    await scene.waitForCounts({ SYNCED: 1 });
    await client.get('/v1/secret/data/shop/mail');
    await client.post('/v1/sys/reveal/secret/shop/mail', { keys: ['user'] });
    const made = await client.post('/v1/auth/token/create', { policies: ['default'], display_name: 'mal' });
    const { client_token: token } = made.body.auth;
    await client.post('/v1/secret/rollback/shop/mail', { version: 1 }, { token });
    await client.post('/v1/auth/token/create', { policies: ['root'], display_name: 'sneaky' }, { token });
    await client.patch('/v1/sys/sync/destinations/cloud1-sm/prod', { description: 'changed' });
  });

  after(() => scene.close());

  const open = async (page: Page, query: string): Promise<string> => {
    await page.goto(`${scene.url}audit${query}`);
    await page.getByText(/[0-9] entr(?:y|ies)$/).waitFor();
    return (await page.getByRole('row').allInnerTexts()).slice(1).join('\n');
  };

  it('reads, changes and refused attempts are choices of their own', async () => {
    const { page, context, faults } = await scene.signIn();
    const read = await open(page, '?kind=read');
    expect(read).to.include('Read secret/shop/mail (version 1)').and.include('keys user');
    expect(read).to.not.match(/Saved|Linked|Tried/);
    const changed = await open(page, '?kind=change');
    expect(changed).to.include('Saved secret/shop/mail').and.include('Linked secret/shop/mail to prod');
    expect(changed).to.not.match(/Read |Revealed/);
    await page.getByLabel('Outcome', { exact: true }).selectOption('Refused');
    await page.waitForURL(/outcome=refused/);
    await page.getByText('Tried to roll back').waitFor();
    await page.locator('td').getByText('Succeeded').first().waitFor({ state: 'detached' });
    const refused = (await page.getByRole('row').allInnerTexts()).slice(1).join('\n');
    expect(refused).to.include('Tried to create the token').and.include('asked for the policies root');
    expect(refused).to.include('Refused (403)').and.not.include('Succeeded');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a call that only looks, such as a preview, is listed for whoever asks for it', async () => {
    const { client } = scene.sealift;
    const store = '/v1/sys/sync/destinations/cloud1-sm/prod';
    const secrets = [{ mount: 'secret', secret_name: 'shop/mail' }];
    expect((await client.post(`${store}/plan`, { secrets })).status).to.equal(200);
    expect((await client.post(`${store}/check`, {})).status).to.equal(200);
    const { page, context, faults } = await scene.signIn();
    const looks = /Previewed changes of|Tested the connection/;
    expect(await open(page, '?destination=prod'))
      .to.include('Created the destination')
      .and.not.match(looks);
    await page.getByLabel('Also previews, tests and comparisons').check();
    await page.getByText('Previewed changes of').waitFor();
    await page.getByText('Tested the connection').first().waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a destination finds what was done to it by its name alone, and by a click on it', async () => {
    const { page, context, faults } = await scene.signIn();
    const found = await open(page, '?destination=prod');
    expect(found).to.include('Changed the destination prod (AWS Secrets Manager)');
    expect(found).to.include('Created the destination').and.not.include('Saved');
    await page.getByRole('link', { name: 'prod (AWS Secrets Manager)' }).first().click();
    await page.waitForURL(/destination=cloud1-sm%2Fprod/);
    await page.getByText('Linked secret/shop/mail').waitFor();
    expect(await page.getByLabel('Destination', { exact: true }).inputValue()).to.equal(
      'prod (AWS Secrets Manager)',
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a span of time is one click, and another click takes it away', async () => {
    const { page, context, faults } = await scene.signIn();
    await open(page, '');
    for (const span of ['Today', 'Last 24 hours', 'Last 7 days']) {
      const button = page.getByRole('button', { name: span });
      await button.click();
      await page.waitForURL(/since=/);
      expect(await button.getAttribute('aria-pressed'), span).to.equal('true');
      await button.click();
      await page.waitForURL((address) => !address.search.includes('since='));
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('one field finds persons and tokens by a part of the name, and asks about misspelled ones', async () => {
    const { page, context, faults } = await scene.signIn();
    const who = page.getByLabel('Who', { exact: true });
    for (const name of ['mal', 'token-mal', 'MA']) {
      await open(page, '');
      await who.fill(name);
      await who.press('Enter');
      await page.getByText('Created the token').waitFor({ state: 'detached' });
      await page.getByText('Tried to roll back').waitFor();
    }
    await who.fill('mall');
    await who.press('Enter');
    await page.getByRole('heading', { name: 'No matching entries' }).waitFor();
    await page.getByText('Did you mean').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'mal', exact: true }).click();
    await page.getByText('Tried to roll back').waitFor();
    await page.goto(`${scene.url}audit?actor=mal&outcome=failed`);
    await page.getByText('Without the other filters').waitFor();
    expect(await who.inputValue()).to.equal('mal');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the rest of an entry is one click away, and leads to the activity of its secret', async () => {
    const { page, context, faults } = await scene.signIn();
    await open(page, '?kind=read&secret=secret/shop/mail');
    await page.getByText('Details', { exact: true }).first().click();
    await page.getByText('POST /sys/reveal/*path').waitFor();
    await page.getByText('Request ID').first().waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Activity of secret/shop/mail' }).first().click();
    await page.getByRole('heading', { name: 'secret/shop/mail', exact: true }).waitFor();
    await page.getByText('Tried to roll back').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('names are offered from the whole trail, and a typed filter says that it is not applied yet', async () => {
    const insert = `INSERT INTO audit_events (at, actor, username, namespace, action, path, outcome)
      VALUES (now() - interval '9 days', 'saml', 'zoe@example.com', '', 'POST /sys/remount', 'sys/remount', 'succeeded')`;
    await scene.sealift.context.db.raw(insert);
    await scene.sealift.context.db.raw(
      `INSERT INTO audit_events (actor, namespace, action, path, outcome)
       SELECT 'noise', '', 'POST /sys/remount', 'sys/remount', 'succeeded' FROM generate_series(1, 60)`,
    );
    const { page, context, faults } = await scene.signIn();
    expect(await open(page, '')).to.not.include('zoe');
    const person = page.getByLabel('Who', { exact: true });
    await person.fill('ZOE');
    await page.getByText('Press Enter to apply').waitFor();
    await page.getByRole('option', { name: 'zoe@example.com' }).click();
    await page.waitForURL(/who=zoe/);
    await page.getByText('1 entry', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'zoe@example.com' }).waitFor();
    await page.getByText('Press Enter to apply').waitFor({ state: 'detached' });
    await page.getByLabel('Action', { exact: true }).fill('roll back');
    await page.getByRole('option', { name: /^Roll back/ }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a button folds the filters of a list on a phone, and says how many are set', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    for (const [path, query, count, label] of [
      ['audit', 'kind=change&destination=prod', 2, 'What'],
      ['destinations', 'status=SYNCED', 1, 'Order'],
      ['links', 'type=cloud1-sm&status=SYNCED', 2, 'Order'],
    ] as const) {
      await page.goto(`${scene.url}${path}?${query}`);
      const first = page.getByRole('link', { name: /^prod/ }).first();
      await first.waitFor();
      expect((await first.boundingBox())?.y, path).to.be.below(NARROW.height * 0.7);
      const choice = page.getByLabel(label, { exact: true });
      expect(await choice.count(), path).to.equal(0);
      await page.getByRole('button', { name: `Filters (${count} set)`, expanded: false }).click();
      expect((await choice.boundingBox())?.width, path).to.be.above(NARROW.width * 0.8);
      expect(await findBarriers(page), path).to.deep.equal([]);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
