import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { NARROW } from './support/browser.ts';
import { openPagesScene, PAGES, visit } from './support/pages.ts';
import type { ConsoleScene } from './support/scene.ts';

// What a finger needs. A link in a line of text is as high as its line.
const SMALL = `[...document.querySelectorAll('button, select, textarea, summary, input, nav a, a[class*="button"]')]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && !one.closest('[class*="skip"]'))
  .map((one) => {
    const label = one.matches('[type="checkbox"], [type="radio"]') ? one.closest('label') : null;
    const { width, height } = (label ?? one).getBoundingClientRect();
    const name = one.getAttribute('aria-label') ?? one.textContent ?? one.id;
    return { name: name.slice(0, 60), width: Math.round(width), height: Math.round(height) };
  })
  .filter(({ width, height }) => width > 2 && (width < 24 || height < 44))
  .map(({ name, width, height }) => name + ': ' + width + 'x' + height)`;
// Nothing but a scroll area may be wider than what it stands in.
const CUT = `[...document.querySelectorAll('main *:not(th)')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.checkVisibility())
  .map((one) => one.tagName + ' ' + (one.textContent ?? '').slice(0, 60))`;
// In a card, the name of a column stands before its value.
const NAMELESS = `[...document.querySelectorAll('tbody td')]
  .filter((one) => one.checkVisibility() && one.innerHTML === '' && getComputedStyle(one, '::before').content !== 'none')
  .map((one) => getComputedStyle(one, '::before').content + ' of ' + one.parentElement.textContent)`;
// A keyboard would begin a name with a capital letter, or turn a path into a word that it knows.
const CORRECTED = `[...document.querySelectorAll('input:not([type]), input[type="search"], input[type="text"], textarea')]
  .filter((one) => one.autocapitalize !== 'none' || one.getAttribute('autocorrect') !== 'off' || one.spellcheck)
  .map((one) => one.getAttribute('aria-label') ?? one.labels?.[0]?.textContent ?? one.id)`;
const HEIGHT = 'document.documentElement.scrollHeight';

const FOLDERS: (typeof PAGES)[number] = ['secrets/secret/', 'secret/', 'app/'];

const DIALOGS: [path: string, open: string, action: string][] = [
  ['secrets/secret/app/', 'Create a secret', 'Create secret'],
  ['secrets/secret/app/db', 'Edit', 'Save as v2'],
  ['access/tokens', 'Create a token', 'Create'],
  ['destinations/cloud1-sm/prod', 'Link secrets', 'Preview changes'],
];

describe('every page on a phone', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openPagesScene();
  });

  after(() => scene.close());

  it('no card names a column without a value, and no field corrects what is typed', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    const flaws: Record<string, unknown> = {};
    let fields = 0;
    for (const one of [...PAGES, FOLDERS]) {
      await visit(scene, page, one);
      const nameless = await page.evaluate<string[]>(NAMELESS);
      const corrected = await page.evaluate<string[]>(CORRECTED);
      fields += await page.locator('input:not([type]), input[type="search"], textarea').count();
      if (nameless.length + corrected.length > 0) flaws[one[0]] = { nameless, corrected };
    }
    expect(flaws).to.deep.equal({});
    expect(fields).to.be.above(15);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whatever can be pressed is at least 44 pixels high, and nothing is cut off', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    const flaws: Record<string, unknown> = {};
    for (const one of PAGES) {
      await visit(scene, page, one);
      const [small, cut, height] = [
        await page.evaluate<string[]>(SMALL),
        await page.evaluate<string[]>(CUT),
        await page.evaluate<number>(HEIGHT),
      ];
      if (small.length + cut.length > 0) flaws[one[0]] = { small, cut, height };
    }
    expect(flaws).to.deep.equal({});
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('status and settings of a destination are short, because what comes later is folded', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    for (const path of ['status', 'destinations/cloud1-sm/prod/settings']) {
      const shown = PAGES.find(([one]) => one === path);
      if (!shown) throw new Error(`${path} is no page`);
      await visit(scene, page, shown);
      expect(await page.evaluate<number>(HEIGHT), path).to.be.below(2200);
    }
    const template = page.getByLabel('Secret name template');
    expect(await template.isVisible()).to.equal(false);
    await page.getByText('Sync options').click();
    await template.fill('{{ .Nothing }}');
    await page.getByText('Sync options').click();
    expect(await template.isVisible()).to.equal(false);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    // A refused field opens its part.
    await page.getByText(/unknown placeholder/i).waitFor();
    expect(await template.isVisible()).to.equal(true);
    expect(await template.inputValue()).to.equal('{{ .Nothing }}');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the row of a problem keeps its buttons in its card, also one with a long label', async () => {
    const entry = scene.fake.entries().find(({ name }) => name === 'app/db');
    scene.fake.plant({ ...entry, name: 'app/db', value: 'changed by somebody else' });
    const secret = { mount: 'secret', secret_name: 'app/db' };
    await scene.sealift.client.post(`${scene.driver.path}/associations/verify`, secret);
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    for (const path of ['', 'problems']) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('button', { name: /^Overwrite with our value/ }).waitFor();
      expect(await page.evaluate<string[]>(CUT), path).to.deep.equal([]);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the button that ends a dialog is in sight however long its form is', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    for (const [path, open, action] of DIALOGS) {
      await page.goto(`${scene.url}${path}`);
      await page.getByRole('button', { name: open, exact: true }).click();
      const button = page.getByRole('dialog').getByRole('button', { name: action, exact: true });
      await button.waitFor();
      await page.evaluate('document.querySelector("dialog").scrollTop = 0');
      const box = await button.boundingBox();
      expect(box?.y, open).to.be.at.least(0);
      expect((box?.y ?? Infinity) + (box?.height ?? 0), open).to.be.at.most(NARROW.height);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the buttons of a link stand above all that is said of it', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/db`);
    const topOf = async (one: Locator): Promise<number> => {
      await one.waitFor();
      return (await one.boundingBox())?.y ?? NaN;
    };
    const status = await topOf(page.getByRole('region', { name: 'Status' }));
    for (const name of ['Sync now', 'Verify', 'Unlink…'])
      expect(await topOf(page.getByRole('button', { name, exact: true })), name).to.be.below(status);
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText('was changed in the store').waitFor();
    await page.getByRole('button', { name: 'Verify', exact: true }).waitFor();
    const row = await topOf(page.getByRole('button', { name: 'Sync now', exact: true }));
    expect(await topOf(page.getByRole('button', { name: 'Unlink…', exact: true }))).to.equal(row);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
