import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { continueToOptions, fillCloud1 } from './support/wizard.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const MASK = `getComputedStyle(document.querySelector('nav[aria-label="Main"]')).maskImage`;

describe('the console on a phone, and small things of every day', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    for (const name of ['app/taken', 'app/taken-too']) scene.fake.plant({ name, value: 'of somebody else' });
    for (const path of ['app/db', 'app/taken', 'app/taken-too']) await scene.link(path);
    await scene.waitForCounts({ SYNCED: 1, CLIENT_SIDE_ERROR: 2 });
  });

  after(() => scene.close());

  /** Whether an element is wholly in the window, as a number of its pixels outside. */
  const outside = async (page: Page, text: ReturnType<Page['locator']>): Promise<number> => {
    const box = await text.boundingBox();
    const size = page.viewportSize() ?? NARROW;
    if (!box) return Infinity;
    const over = [-box.x, -box.y, box.x + box.width - size.width, box.y + box.height - size.height];
    return Math.max(0, ...over.map(Math.ceil));
  };

  it('every page marks the entry of the menu that it belongs to', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    const menu = page.getByRole('navigation', { name: 'Main' });
    for (const [path, entry] of [
      ['links', 'Destinations'],
      ['connect', 'Destinations'],
      ['new-alert', 'Alerts'],
      ['activity/secret/app/db', 'Secrets'],
      ['readers/secret/app/db', 'Secrets'],
    ] as const) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      const marked = menu.locator('[aria-current="page"]');
      await marked.first().waitFor();
      expect(await marked.allInnerTexts(), path).to.deep.equal([entry]);
      expect(await outside(page, marked), path).to.equal(0);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a list of few links is as high as its rows', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    const list = page.getByRole('list', { name: '3 links' });
    await list.getByText('secret/app/taken-too').waitFor();
    expect((await list.boundingBox())?.height).to.be.below(150);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('Save is in sight on a phone wherever one types in a form', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    const forms: [path: string, label: string, button: string][] = [
      ['destinations/cloud1-sm/prod/settings', 'Custom tags', 'Save'],
      ['settings/smtp', 'Host', 'Save'],
      ['access/policies/new', 'Policy, in HCL or JSON', 'Save'],
    ];
    for (const [path, label, button] of forms) {
      await page.goto(`${scene.url}${path}`);
      const field = page.getByLabel(label, { exact: true });
      await field.scrollIntoViewIfNeeded();
      await page.evaluate('scrollTo(0, 200)');
      const save = page.getByRole('button', { name: button, exact: true });
      expect(await outside(page, save), path).to.equal(0);
      expect(await findBarriers(page), path).to.deep.equal([]);
    }
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await page.evaluate('scrollTo(0, 0)');
    expect(await outside(page, page.getByRole('button', { name: 'Continue' }))).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a copy that the browser does not allow is said to be none', async () => {
    const { page, context, faults } = await scene.signIn();
    const inspector = await context.newCDPSession(page);
    const permission = { name: 'clipboard-write' };
    await inspector.send('Browser.setPermission', { permission, setting: 'denied' });
    const refusals = page.getByText('Not copied: allow this site to use the clipboard in your browser');
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByTitle('Copy as curl: Test connection').click();
    await refusals.waitFor();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByRole('button', { name: 'Copy password' }).click();
    await refusals.waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the menu on a phone shows the entry of the page, and on which side it goes on', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    const nav = page.getByRole('navigation', { name: 'Main' });
    const sides: [path: string, label: string, more: string][] = [
      ['', 'Overview', 'end'],
      ['settings/smtp', 'Settings', 'start end'],
      ['status', 'Status', 'start end'],
    ];
    for (const [path, label, more] of sides) {
      await page.goto(`${scene.url}${path}`);
      const entry = nav.getByRole('link', { name: label });
      await entry.waitFor();
      await page.locator(`nav[data-more="${more}"]`).waitFor();
      expect(await outside(page, entry), label).to.equal(0);
      expect(await entry.getAttribute('aria-current'), label).to.equal('page');
      expect(await page.evaluate(MASK), label).to.include('gradient');
    }
    const name = nav.getByText('Signed in as root');
    await page.evaluate('document.querySelector(`nav[aria-label="Main"]`).scrollTo(10_000, 0)');
    await page.locator('nav[data-more="start"]').waitFor();
    expect(await outside(page, name)).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a problem with its cause and its remedy fits on one screen of a phone', async () => {
    const { page, context } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}problems`);
    const row = page.getByRole('row', { name: /conflict/ });
    await row.waitFor();
    expect((await row.boundingBox())?.height).to.be.lessThan(NARROW.height / 2);
    for (const part of [
      row.getByText('conflict', { exact: true }),
      row.getByRole('button', { name: /^Retry/ }),
    ])
      expect(await outside(page, part.first())).to.equal(0);
    await context.close();
  });

  it('a retry says what came of it, also if the links fail again', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems`);
    await page.getByRole('button', { name: 'Retry prod (AWS Secrets Manager)' }).click();
    await answerDialog(page, /^Retry/);
    const result = page.getByText(/^Retried 2 links of prod \(AWS Secrets Manager\): 2 links are failing\./);
    await result.waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await result.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the result of a retry tells only of the links that were chosen or filtered for it', async () => {
    const { page, context, faults } = await scene.signIn();
    const store = `${scene.url}destinations/cloud1-sm/prod`;
    await page.goto(store);
    await page.getByLabel('Select secret/app/db').check();
    await page.getByRole('button', { name: 'Retry selected (1)…' }).click();
    await answerDialog(page, /^Retry/);
    const result = 'of prod (AWS Secrets Manager):';
    await page.getByText(`Retried 1 link ${result} it no longer fails.`).waitFor();
    await page.getByLabel('Select secret/app/taken', { exact: true }).check();
    await page.getByRole('button', { name: 'Retry selected (1)…' }).click();
    await answerDialog(page, /^Retry/);
    await page.getByText(`Retried 1 link ${result} 1 link is failing.`).waitFor();
    await page.goto(`${store}?status=CLIENT_SIDE_ERROR&q=taken-too`);
    await page.getByRole('button', { name: /^Retry 1/ }).click();
    await answerDialog(page, /^Retry/);
    await page.getByText(`Retried 1 link ${result} 1 link is failing.`).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a preview without entries says so, and shows no table', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/taken`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^No changes in prod/).waitFor();
    expect(await dialog.getByRole('table').count()).to.equal(0);
    expect(await dialog.getByRole('region', { name: 'Preview' }).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a deleted secret is said to be deleted, and its deletion is taken back with a question', async () => {
    await scene.driver.write('app/gone', { user: 'app' });
    expect((await scene.sealift.client.delete('/v1/secret/data/app/gone')).status).to.equal(204);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/app/gone`);
    await page.getByRole('heading', { name: 'Version 1 was deleted' }).waitFor();
    expect(await page.getByText('Not found').count()).to.equal(0);
    await page.getByRole('button', { name: 'Undelete…' }).click();
    await answerDialog(page, 'Undelete v1');
    await page.getByRole('button', { name: 'Reveal user' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a page that does not exist has a heading of its own', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}nowhere`);
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('j moves into a list that has not the focus, and the steps to connect are buttons back', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('link', { name: /app\/db/ }).waitFor();
    await page.keyboard.press('j');
    await page.locator('[data-at="0"]:focus').waitFor();
    await page.keyboard.press('j');
    await page.locator('[data-at="1"]:focus').waitFor();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'steps');
    await continueToOptions(page);
    const template = await page.getByLabel('Secret name template').getAttribute('placeholder');
    expect(template).to.include('{{ .SecretPath }}');
    await page.getByRole('button', { name: '2 Credentials' }).click();
    expect(await page.getByLabel('Destination name').inputValue()).to.equal('steps');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
