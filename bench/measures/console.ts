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
const WORD = 'in sync';
const EMPTY = `<!doctype html><html lang="en"><title>Empty</title><p>All is in sync.</p></html>`;

// Runs in the page: milliseconds from the start of the navigation to the frame that shows the sentence.
const SEEN = `new Promise((resolve) => {
  const look = () =>
    document.body?.innerText.includes(${JSON.stringify(WORD)})
      ? requestAnimationFrame(() => resolve(performance.now()))
      : requestAnimationFrame(look);
  look();
})`;

/**
 * Measures the time from opening the console's URL until it shows whether everything is in sync, with an empty browser
 * cache. The floor is a page that contains only the same sentence.
 */
export const consolePaint = {
  name: 'console',
  measures: ['services/console'],
  run: (stage: Stage): Promise<Row[]> =>
    withInstallation(stage, async (scene) => {
      await seedTarget(stage, scene, TYPE, SECRETS);
      const empty = await serveEmptyPage();
      const browser = await openBrowser();
      try {
        const ours: number[] = [];
        const bare: number[] = [];
        // The first measurement of each includes the browser's own start, so it is dropped.
        for (let round = 0; round <= stage.rounds; round += 1) {
          ours.push(await timePaint(browser, `${scene.url}/ui/`, scene));
          bare.push(await timePaint(browser, empty.url, scene));
        }
        const value = median(ours.slice(1));
        const floor = median(bare.slice(1));
        stage.say(`console: ${Math.round(value)} ms, an empty page ${Math.round(floor)} ms`);
        return [
          createRow(
            { measure: 'console, first useful paint (floor: an empty page)', unit: 'ms', value, floor },
            [{ most: 500 }],
          ),
        ];
      } finally {
        await browser.close();
        await empty.stop();
      }
    }),
};

// Each measurement gets a new browser context: nothing is cached, but the user is signed in.
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
