import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { openBrowser } from '../../test/console/support/browser.ts';
import { createRow, type Row } from '../support/row.ts';
import { withInstallation, type Scene, type Stage } from '../support/stage.ts';
import { median } from '../support/statistics.ts';
import { seedTarget } from '../support/work.ts';

const TYPE = 'cloud1-sm';
const SECRETS = 1000;
const WORD = 'links are in sync';
const EMPTY = `<!doctype html><html lang="en"><title>Empty</title><p>All links are in sync.</p></html>`;

// In the page: milliseconds from the beginning of the navigation until the frame in which the sentence stands.
const SEEN = `new Promise((resolve) => {
  const look = () =>
    document.body?.innerText.includes(${JSON.stringify(WORD)})
      ? requestAnimationFrame(() => resolve(performance.now()))
      : requestAnimationFrame(look);
  look();
})`;

/**
 * From the address of the console until it says whether everything is in sync, in a Chromium that has nothing of it yet,
 * beside a page of the same sentence and nothing else.
 */
export const consolePaint = {
  name: 'console',
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(stage, async (scene) => {
      await seedTarget(stage, scene, TYPE, SECRETS);
      const empty = await serveEmptyPage();
      const browser = await openBrowser();
      try {
        const ours: number[] = [];
        const bare: number[] = [];
        // The first of each pays for the browser's own start.
        for (let round = 0; round <= stage.rounds; round += 1) {
          ours.push(await timePaint(browser, `${scene.url}/ui/`, scene));
          bare.push(await timePaint(browser, empty.url, scene));
        }
        const value = median(ours.slice(1));
        const floor = median(bare.slice(1));
        stage.say(`console: ${Math.round(value)} ms, an empty page ${Math.round(floor)} ms`);
        return [
          createRow({
            measure: 'console, first useful paint (floor: an empty page)',
            unit: 'ms',
            value,
            floor,
          }),
        ];
      } finally {
        await browser.close();
        await empty.stop();
      }
    }),
};

// A context of its own each time: nothing is cached, but somebody is signed in.
async function timePaint(browser: Browser, url: string, { url: api, token }: Scene): Promise<number> {
  const context = await browser.newContext();
  try {
    const answer = await context.request.post(`${api}/v1/auth/session`, {
      headers: { authorization: `Bearer ${token}`, 'sec-fetch-site': 'same-origin' },
    });
    if (!answer.ok()) throw new Error(`no session: ${answer.status()}`);
    const page = await context.newPage();
    await page.goto(url);
    return Number(await page.evaluate(SEEN));
  } finally {
    await context.close();
  }
}

async function serveEmptyPage(): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((_, answer) => {
    answer.setHeader('Content-Type', 'text/html; charset=utf-8').end(EMPTY);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
