import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('pages of the console without something to show', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  it('a filter that finds nothing is cleared with one button, together with its field', async () => {
    const { page, context, faults } = await scene.signIn();
    const places = [
      ['audit', 'Path begins with', 'No matching entries'],
      ['secrets/secret/app/', 'Search by name', 'No name matches'],
      ['destinations/cloud1-sm/prod', 'Filter by name', 'No matching links'],
    ] as const;
    for (const [path, label, title] of places) {
      await page.goto(`${scene.url}${path}`);
      await page.getByLabel(label).fill('nothing-has-this-name');
      await page.getByRole('heading', { name: title }).waitFor();
      await page.getByText('Clear the filter').click();
      await page.getByRole('heading', { name: title }).waitFor({ state: 'detached' });
      expect(await page.getByLabel(label).inputValue(), path).to.equal('');
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a filter of the audit page counts when it is whole, and a wrong one says what it must be', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}audit`);
    await page.getByText(/[0-9] entries/).waitFor();
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('filter%5Baddress%5D')) requests.push(request.url());
    });
    const address = page.getByLabel('Address');
    await address.pressSequentially('127.0.0.1');
    expect(requests).to.deep.equal([]);
    await address.press('Enter');
    await eventually(async () => page.url().includes('address=127.0.0.1') && requests.length > 0);
    expect(requests.every((url) => url.includes('=127.0.0.1'))).to.equal(true);
    await page.getByText(/[0-9] entries/).waitFor();
    await address.fill('nowhere');
    await address.press('Enter');
    await page.getByText('must be an IP address').waitFor();
    await context.close();
  });

  it('a link in a mount that nobody has is said to be missing, instead of loading for ever', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/nowhere/app`);
    await page.getByRole('heading', { name: 'Mount not found' }).waitFor();
    await context.close();
  });

  it('a page whose mounts cannot be read shows why, and reads them again on request', async () => {
    const { page, context } = await scene.signIn();
    await page.route('**/v1/sys/internal/ui/mounts', (route) =>
      route.fulfill({
        status: 400,
        headers: { 'x-request-id': 'a-request' },
        json: { errors: ['no mounts'] },
      }),
    );
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    await page.getByText('Request a-request').waitFor();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByText('Request a-request').waitFor();
    await page.unroute('**/v1/sys/internal/ui/mounts');
    await page.getByRole('button', { name: 'Retry' }).click();
    await page.getByText('password').waitFor();
    await context.close();
  });

  it('a number is a dash until it is known, and never a zero', async () => {
    const { page, context, faults } = await scene.signIn();
    const waiting: (() => void)[] = [];
    const hold = () => new Promise<void>((resolve) => waiting.push(resolve));
    await page.route('**/sys/sync/summary**', (route) =>
      route.fulfill({ status: 400, json: { errors: ['no'] } }),
    );
    await page.route('**/associations/rows?**', (route) => hold().then(() => route.continue()));
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('link', { name: 'All –' }).waitFor();
    expect(await page.getByText(/\b0\b/).count()).to.equal(0);
    await eventually(() => waiting.length > 0);
    for (const release of waiting) release();
    await page.getByRole('link', { name: 'All 1' }).waitFor();
    waiting.length = 0;
    await page.getByLabel('Filter by name').fill('app');
    await eventually(() => waiting.length > 0);
    expect(await page.getByRole('button', { name: /^Unlink [\d,]+…$/ }).count()).to.equal(0);
    expect(await page.getByText('No matching links').count()).to.equal(0);
    for (const release of waiting) release();
    await page.getByRole('button', { name: /^Unlink [\d,]+…$/ }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a page whose programs come slowly says that it loads', async () => {
    const { page, context, faults } = await scene.signIn();
    const waiting: (() => void)[] = [];
    await page.route('**/assets/*.js', (route) =>
      new Promise<void>((resolve) => waiting.push(resolve)).then(() => route.continue()),
    );
    await page.goto(`${scene.url}status`, { waitUntil: 'commit' });
    await page.getByText('Loading…').waitFor();
    await page.unroute('**/assets/*.js');
    await page.goto(`${scene.url}status`);
    await page.getByRole('heading', { name: 'Status' }).waitFor();
    for (const release of waiting) release();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a page that is opened while the service is away comes by itself once it is back', async () => {
    const { page, context, faults } = await scene.signIn();
    let calls = 0;
    const away = { errors: ['the database cannot be reached (ECONNREFUSED)'] };
    await page.route('**/v1/auth/session', (route) => {
      calls += 1;
      return route.fulfill({ status: 503, headers: { 'retry-after': '1' }, json: away });
    });
    await page.goto(`${scene.url}status`);
    await page.getByText(/^Retries in \d s$/).waitFor();
    await eventually(() => calls > 2);
    await page.unroute('**/v1/auth/session');
    await page.getByRole('heading', { name: 'Status' }).waitFor();
    // The same for what a page reads.
    await page.route('**/sys/sync/destinations/cloud1-sm/prod', (route) => route.abort());
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByText(/^Retries in \d s$/).waitFor();
    await page.unroute('**/sys/sync/destinations/cloud1-sm/prod');
    await page.getByLabel('Region', { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change whose answer is lost is said to have perhaps been made', async () => {
    const { page, context } = await scene.signIn();
    const path = 'destinations/cloud1-sm/prod/secret/secret/app/db';
    for (const call of ['**/associations/set', '**/associations/verify'])
      await page.route(call, async (route) => {
        await route.fetch();
        await route.abort();
      });
    await page.goto(`${scene.url}${path}`);
    const mayBeMade = page.getByText('The change may have been applied');
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('The service cannot be reached.').waitFor();
    expect(await mayBeMade.count()).to.equal(0);
    await page.getByRole('button', { name: 'Sync now', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sync', exact: true }).click();
    await mayBeMade.waitFor();
    await context.close();
  });
});
