import { expect } from 'chai';
import { NARROW } from './support/browser.ts';
import { openPagesScene, PAGES, visit } from './support/pages.ts';
import type { ConsoleScene } from './support/scene.ts';

const TWICE = { standard: 32, fixed: 26 };

// Texts that are shown, with their boxes; what a scroll area hides is not, and what sticks covers others.
const IS_APART = `(one) => { const { clipPath, position } = getComputedStyle(one); return clipPath !== 'none' || position === 'sticky'; }`;
const TEXTS = `[...(function* () {
  const walker = document.createTreeWalker(document.querySelector('dialog') ?? document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true }) || parent.closest('option, [class*="skip"]')) continue;
    let around = parent;
    while (around && !(${IS_APART})(around)) around = around.parentElement;
    if (around) continue;
    const list = parent.closest('[role="list"]')?.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (!list || (box.top >= list.top && box.bottom <= list.bottom)) yield { node, text: node.data.trim().slice(0, 40), box };
  }
})()]`;

// The letters of a line may reach into the next one, but not half of them.
const OVERLAPS = `((texts) => texts.flatMap((one, index) => texts.slice(index + 1)
  .filter((other) => other.node !== one.node)
  .filter((other) => Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 2
    && Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 10)
  .map((other) => one.text + ' / ' + other.text)))(${TEXTS})`;

// The names in a long list end with dots; everything else is shown whole.
const CLIPPED = `[...document.querySelectorAll('main *, header *, dialog *')]
  .filter((one) => one.checkVisibility() && one.clientWidth > 1)
  .filter((one) => ['hidden', 'clip'].includes(getComputedStyle(one).overflowX) && getComputedStyle(one).textOverflow !== 'ellipsis')
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1)
  .map((one) => one.tagName + '.' + one.className + ' ' + (one.textContent ?? '').slice(0, 60))`;

const BESIDE = `[...document.querySelectorAll('body *:not(th)')]
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && one.checkVisibility() && !one.closest('nav, thead'))
  .map((one) => one.tagName + '.' + one.className + ' ' + (one.textContent ?? '').slice(0, 60))`;

const ROOT_SIZE = 'getComputedStyle(document.documentElement).fontSize';
const SIDEWAYS = 'document.documentElement.scrollWidth - innerWidth';

describe('the console with text at 200 %', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openPagesScene();
  });

  after(() => scene.close());

  for (const [where, size] of [
    ['on a phone', NARROW],
    ['on a laptop', { width: 1280, height: 800 }],
  ] as const)
    it(`nothing overlaps, is cut off or needs sideways scrolling ${where}`, async () => {
      const { page, context, faults } = await scene.signIn({ size });
      const inspector = await context.newCDPSession(page);
      await inspector.send('Page.setFontSizes', { fontSizes: TWICE });
      const flaws: Record<string, unknown> = {};
      for (const one of PAGES) {
        await visit(scene, page, one);
        expect(await page.evaluate(ROOT_SIZE), one[0]).to.equal('32px');
        const found = {
          overlaps: await page.evaluate<string[]>(OVERLAPS),
          clipped: await page.evaluate<string[]>(CLIPPED),
          beside: await page.evaluate<string[]>(BESIDE),
          sideways: await page.evaluate<number>(SIDEWAYS),
        };
        if (
          Object.values(found)
            .flat()
            .some((flaw) => flaw !== 0)
        )
          flaws[one[0]] = found;
      }
      expect(flaws).to.deep.equal({});
      expect(faults).to.deep.equal([]);
      await context.close();
    });
});
