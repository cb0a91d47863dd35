import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const MANY = 10_000;

describe('finding a destination', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    const web = { access_token: 'a-token', repository_owner: 'acme', repository_name: 'web' };
    const made = await client.post('/v1/sys/sync/destinations/repo-host/shop', web);
    expect(made.status, made.text).to.equal(200);
    await client.post('/v1/sys/namespaces/team', {});
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    await scene.link('app/taken');
    await scene.waitForCounts({ CLIENT_SIDE_ERROR: 1 });
  });

  after(() => scene.close());

  it('destinations are found by vendor, store, status and name, and the address keeps the filter', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations`);
    const rows = page.getByRole('listitem').getByRole('link');
    await eventually(async () => (await rows.count()) === 2);
    await page.getByLabel('Filter by name or store').fill('github');
    await eventually(async () => (await rows.count()) === 1);
    await page.getByRole('link', { name: /shop/ }).getByText('GitHub secrets').waitFor();
    await page.getByLabel('Filter by name or store').fill('');
    await page.getByLabel('Store', { exact: true }).selectOption('AWS Secrets Manager');
    await page.getByRole('status').getByText('1 destination').waitFor();
    await page.getByLabel('Status', { exact: true }).selectOption('Needs attention');
    await page.getByRole('link', { name: /prod/ }).getByText('1 needs attention').waitFor();
    const address = page.url();
    expect(address).to.include('type=cloud1-sm').and.include('status=CLIENT_SIDE_ERROR');
    await page.goto(`${scene.url}destinations`);
    await eventually(async () => (await rows.count()) === 2);
    await page.goto(address);
    await eventually(async () => (await rows.count()) === 1);
    await page.getByLabel('Status', { exact: true }).selectOption('Drifted');
    await page.getByRole('heading', { name: 'No matching destinations' }).waitFor();
    await page.getByRole('link', { name: 'Clear the filter' }).click();
    await eventually(async () => (await rows.count()) === 2);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a grouped list has a heading for each store or status, and arrows skip the headings', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations`);
    await page.getByLabel('Order').selectOption('Group by store');
    await page.getByRole('heading', { name: 'AWS Secrets Manager 1' }).waitFor();
    await page.getByRole('heading', { name: 'GitHub secrets 1' }).waitFor();
    await page.getByRole('link', { name: /prod/ }).focus();
    await page.keyboard.press('ArrowDown');
    await eventually(async () =>
      String(await page.evaluate('document.activeElement?.textContent')).startsWith('shop'),
    );
    await page.getByLabel('Order').selectOption('Group by status');
    await page.getByRole('heading', { name: 'Needs attention 1' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the list of another namespace is chosen beside the filters', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations`);
    await page.getByLabel('Namespace', { exact: true }).selectOption('team');
    await page.getByRole('heading', { name: 'No destinations yet' }).waitFor();
    expect(page.url()).to.include('ns=team');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('ten thousand destinations are read and drawn by the page, and no poll reads them all', async () => {
    await scene.sealift.context.db.raw(
      `INSERT INTO destinations (namespace_id, type, name, settings, container, granularity, secret_name_template)
       SELECT namespace_id, type, 'many-' || lpad(n::text, 5, '0'), settings, container, granularity, secret_name_template
       FROM destinations, generate_series(1, ${MANY}) n WHERE name = 'prod'`,
    );
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    const sizes: number[] = [];
    page.on('response', (response) => {
      if (!response.url().includes('/v1/sys/sync/summary')) return;
      void response.body().then(
        (body) => sizes.push(body.length),
        () => undefined,
      );
    });
    await page.goto(`${scene.url}destinations?q=many`);
    const list = page.getByRole('list', { name: '10,000 destinations' });
    await list.waitFor();
    expect(await list.getByRole('listitem').count()).to.be.below(60);
    await page.evaluate(`document.querySelector('[role="list"][aria-label]').scrollTop = 200 * ${MANY}`);
    await page.getByRole('link', { name: /many-10000/ }).waitFor();
    const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
    expect(isWide).to.equal(false);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.goto(scene.url);
    await page.getByRole('link', { name: 'All 10,002' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('many-07777');
    await page.getByRole('option', { name: /many-07777/ }).waitFor();
    expect(Math.max(...sizes)).to.be.below(100_000);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
