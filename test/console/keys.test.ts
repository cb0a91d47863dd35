import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { answerDialog } from './support/answer.ts';
import { copyCurl } from './support/copy.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('keys, search and copies in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    for (const path of ['app/db', 'app/mail']) await scene.link(path);
    await scene.waitForCounts({ SYNCED: 2 });
  });

  after(() => scene.close());

  it('one search finds pages, destinations and secrets, by keys alone', async () => {
    const { page, context, faults } = await scene.enter();
    const search = page.getByRole('combobox');
    await page.keyboard.press('Control+k');
    await search.fill('polic');
    await page.getByRole('option', { name: 'Policies' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Policies' }).waitFor();
    await page.keyboard.press('Control+k');
    await search.fill('prod');
    await page.getByRole('option', { name: 'prod (AWS Secrets Manager)' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: '2 links' }).waitFor();
    await page.keyboard.press('Control+k');
    await search.fill('mail');
    await page.getByRole('option', { name: 'SMTP settings' }).waitFor();
    await page.getByRole('option', { name: 'secret/app/mail' }).waitFor();
    await search.fill('secret/app/ma');
    await page.getByRole('option', { name: 'secret/app/mail' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'secret/app/mail' }).waitFor();
    await page.keyboard.press('Control+k');
    await search.fill('nothing has this name');
    await page.getByText('Nothing matches.').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a token is found after secrets, and by its accessor only from the beginning on', async () => {
    const { client } = scene.sealift;
    const made = await client.post('/v1/auth/token/create', { display_name: 'mail-robot', policies: [] });
    const accessor: string = made.body.auth.accessor;
    const { page, context, faults } = await scene.enter();
    const search = page.getByRole('combobox');
    await page.keyboard.press('Control+k');
    await search.fill('mail');
    const token = page.getByRole('option', { name: new RegExp(`mail-robot *Token +${accessor}`) });
    const secret = page.getByRole('option', { name: 'secret/app/mail' });
    await Promise.all([token.waitFor(), secret.waitFor()]);
    const found = await page.getByRole('option').allInnerTexts();
    const placeOf = (text: string): number => found.findIndex((one) => one.includes(text));
    expect(placeOf('secret/app/mail')).to.be.lessThan(placeOf(accessor));
    await search.fill(accessor.slice(0, 4));
    await token.waitFor();
    const swapped = accessor
      .split('')
      .map((letter) => (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()));
    for (const other of [accessor.slice(3, 10), swapped.join('').slice(0, 10)]) {
      await search.fill(other);
      await page.getByText('Nothing matches.').waitFor();
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a namespace is found by a part of its name, and choosing it shows its pages', async () => {
    await scene.sealift.client.post('/v1/sys/namespaces/team-payments');
    const { page, context, faults } = await scene.enter();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('payments');
    await page.getByRole('option', { name: 'team-payments Namespace' }).click();
    await page.getByRole('button', { name: 'Namespace team-payments' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('j, k and the arrows move in every list', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}access/policies`);
    const first = page.getByRole('link', { name: 'default', exact: true });
    await first.waitFor();
    await page.keyboard.press('j');
    await eventually(async () => first.evaluate((link) => link.matches(':focus')));
    await page.keyboard.press('ArrowDown');
    const names = page.getByRole('main').locator('tbody tr').nth(1).getByRole('link').first();
    await eventually(async () => names.evaluate((link) => link.matches(':focus')));
    await page.keyboard.press('k');
    await eventually(async () => first.evaluate((link) => link.matches(':focus')));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('letters that are typed at once belong to the search, although it is still loaded', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    await page.getByRole('button', { name: 'Verify' }).waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/assets/palette-*.js', async (route) => {
      await released;
      await route.continue();
    });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/associations/')) sent.push(request.url());
    });
    await page.keyboard.press('Control+k');
    await page.keyboard.type('svpo');
    release();
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('x');
    expect(await page.getByRole('combobox').inputValue()).to.equal('svpox');
    expect(await page.getByRole('dialog').count()).to.equal(1);
    expect(sent).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the answer to a question has the focus once its preview is there', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    const hasFocus = (what: Locator): Promise<boolean> => what.and(page.locator(':focus')).isVisible();
    await page.getByRole('button', { name: 'Verify' }).waitFor();
    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog');
    await eventually(() => hasFocus(dialog.getByRole('button', { name: /^Sync/ })));
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Unlink' }).click();
    await eventually(() => hasFocus(dialog.getByLabel('Type prod to confirm')));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('s syncs and v verifies a link, and single keys do nothing once they are off', async () => {
    const { page, context, faults } = await scene.signIn();
    const sent: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'POST' && pathname.includes('/associations/'))
        sent.push(pathname.split('/').at(-1) ?? '');
    });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    await page.getByRole('button', { name: 'Verify' }).waitFor();
    await page.keyboard.press('s');
    await answerDialog(page, 'Sync');
    expect(sent).to.include('set');
    await page.keyboard.press('v');
    await page.getByText('matches').waitFor();
    expect(sent).to.include('verify');
    await page.keyboard.press('?');
    await page.getByRole('checkbox', { name: /Single-key/ }).uncheck();
    await page.getByRole('button', { name: 'Close' }).click();
    sent.length = 0;
    await page.keyboard.press('s');
    await page.keyboard.press('g');
    await page.keyboard.press('o');
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Sync now' }).click();
    await answerDialog(page, 'Sync');
    expect(sent).to.deep.equal(['set']);
    expect(page.url()).to.include('app/db');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an action is copied as curl with a placeholder for the token', async () => {
    const watched = await scene.signIn({ permissions: ['clipboard-read', 'clipboard-write'] });
    const { page, context } = watched;
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    const copied = await copyCurl(watched, 'Sync now');
    expect(copied).to.include('/associations/set').and.include('$SEALIFT_TOKEN');
    expect(copied).to.not.include(scene.sealift.token);
    await context.close();
  });

  it('a service that wants to be left alone is asked again only when it says', async () => {
    const { page, context } = await scene.signIn();
    // Refuses like a proxy in front of the service.
    await page.route('**/v1/sys/policies/acl?*list=true*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '2' },
        json: { errors: ['too many requests'] },
      }),
    );
    await page.goto(`${scene.url}access/policies`);
    await page.getByText(/Retries in [12] s/).waitFor();
    expect(await page.getByRole('button', { name: 'Retry' }).isDisabled()).to.equal(true);
    await page.unroute('**/v1/sys/policies/acl?*list=true*');
    await page.getByRole('link', { name: 'site-admin' }).waitFor();
    await context.close();
  });
});
