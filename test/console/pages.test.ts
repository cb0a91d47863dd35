import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW, WIDE } from './support/browser.ts';
import { openPagesScene, PAGES, visit } from './support/pages.ts';
import type { ConsoleScene } from './support/scene.ts';

describe('pages of the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openPagesScene();
  });

  after(() => scene.close());

  it('every page has nothing serious for axe in the dark theme, and scrolls only downwards', async () => {
    const { page, context, faults } = await scene.signIn({ theme: 'dark', size: WIDE });
    for (const one of PAGES) {
      await visit(scene, page, one, { load: true });
      await expectNoFlaw(page, one[0]);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('every page has nothing serious for axe at 360 pixels, and each table cell has its column', async () => {
    const { page, context, faults } = await scene.signIn({ theme: 'light', size: NARROW });
    const seen = new Set<string>();
    for (const one of PAGES) {
      await visit(scene, page, one);
      for (const { title, label } of await cellsOf(page)) {
        expect(label, `${one[0]}: ${title}`).to.equal(title === 'Actions' ? 'none' : `"${title}"`);
        seen.add(title);
      }
      await expectNoFlaw(page, one[0]);
    }
    expect([...seen]).to.include.members(['When', 'Duration', 'Out of sync', 'Problem', 'Name in the store']);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the sign-in has nothing serious for axe', async () => {
    const context = await scene.browser.newContext();
    const page = await context.newPage();
    await page.goto(scene.url);
    await page.getByRole('heading', { name: 'Sign in to Sealift' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await context.close();
  });

  it('a list of 100,000 links has few rows in the page, and any place of it is two requests away', async () => {
    await scene.putRows('cloud1-sm', 'prod', 100_000, 'many');
    const { page, context, faults } = await scene.signIn();
    // The list on screen is read anew from time to time.
    const requested = new Set<string>();
    page.on('request', (request) => {
      if (request.url().includes('/rows')) requested.add(request.url());
    });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    const list = page.getByRole('list', { name: '100,002 links' });
    await list.waitFor();
    const before = requested.size;
    await page.evaluate(`document.querySelector('[role="list"][aria-label]').scrollTop = 48 * 77_777`);
    await page.getByText('secret/many/077780').waitFor();
    expect(await list.getByRole('listitem').count()).to.be.at.most(60);
    expect(requested.size - before).to.be.at.most(2);

    await page.getByRole('searchbox').fill('many/0999');
    await page.getByRole('list', { name: '100 links' }).waitFor();
    await eventually(async () => page.url().includes('q=many'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});

/** Expects that axe finds nothing serious, and that the page is no wider than the window. */
async function expectNoFlaw(page: Page, path: string): Promise<void> {
  expect(await findBarriers(page), path).to.deep.equal([]);
  const widths = '[document.documentElement.scrollWidth, innerWidth]';
  const [width, most] = await page.evaluate<number[]>(widths);
  expect(width, path).to.be.at.most(most ?? 0);
}

/** The cells of the tables that are cards, each with its column's title and what is written before it. */
async function cellsOf(page: Page): Promise<{ title: string; label: string }[]> {
  return page.evaluate(`[...document.querySelectorAll('table')]
    .filter((table) => getComputedStyle(table).display === 'block')
    .flatMap((table) => [...table.querySelectorAll('tbody td')].map((cell) => ({
      title: table.querySelectorAll('th')[cell.cellIndex].textContent,
      label: getComputedStyle(cell, '::before').content,
    })))`);
}
