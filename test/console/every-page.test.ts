import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { goTo } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LINK = 'secret/app/db';
const LOCK = 'You don’t have permission.\n\nShow the missing rule';
// They show something to everybody.
const OPEN_TO_ALL = new Set(['/', '/access/sessions']);
// What no caller can change, whose session it is, and what only a picker offers.
const FIXED = /\/v1\/sys\/schemas$|\/v1\/auth\/session$|\/audit-events\/names\?/;
// What is put in the place of the parameters of an address.
const PARAMETERS: Record<string, Record<string, string>> = {
  '/settings/$kind': { kind: 'saml' },
  '/alerts/$name': { name: 'some' },
  '/access/policies/$name': { name: 'default' },
  '/access/auth/$': { '': 'approle' },
};

/** Every path in the table of the console's pages. */
async function pathsOfRouter(): Promise<string[]> {
  const files = await Promise.all(
    ['routes', 'access-routes'].map((name) => readFile(`services/console/src/${name}.tsx`, 'utf8')),
  );
  return files.flatMap((text) => [...text.matchAll(/^ {2}path: '([^']+)'/gm)].map(([, path = '']) => path));
}

function addressOf(path: string): string {
  const values: Record<string, string> = {
    type: 'cloud1-sm',
    name: 'prod',
    '': LINK,
    ...PARAMETERS[path],
  };
  return path.replaceAll(/\$(\w*)/g, (_, name: string) => values[name] ?? name);
}

describe('every page of the console, by its address', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
  });

  after(() => scene.close());

  it('a page without a right to it is its title and the missing rule, and asks for nothing', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/policies/acl/nothing', {
      policy: 'path "secret/none" { capabilities = ["read"] }',
    });
    const made = await client.post('/v1/auth/token/create', { policies: ['nothing'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
    });
    const main = page.getByRole('main');
    for (const path of await pathsOfRouter()) {
      if (OPEN_TO_ALL.has(path)) continue;
      await goTo(page, `${scene.url}${addressOf(path).slice(1)}`);
      await main.getByText('You don’t have permission.').waitFor();
      await page.waitForLoadState('networkidle');
      expect(await main.getByRole('heading', { level: 1 }).innerText(), path).to.not.equal('');
      expect(await main.getByRole('alert').innerText(), path).to.equal(LOCK);
      expect(await offersIn(main), path).to.deep.equal([]);
      expect(refused, path).to.deep.equal([]);
      if (path === '/links') expect(await findBarriers(page)).to.deep.equal([]);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('every page asks again for all that it shows, which keeps no session alive', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.clock.install();
    const requests: { url: string; isBackground: boolean }[] = [];
    const pending = new Set<unknown>();
    page.on('request', (request) => {
      pending.add(request);
      // What the page before asked for last is not of this one.
      if (request.isNavigationRequest()) requests.length = 0;
      if (request.method() !== 'GET' || request.resourceType() !== 'fetch') return;
      requests.push({ url: request.url(), isBackground: 'sealift-background' in request.headers() });
    });
    page.on('requestfinished', (request) => pending.delete(request));
    page.on('requestfailed', (request) => pending.delete(request));
    // An answer may lead to the next request.
    const passTime = async (ms: number): Promise<void> => {
      await page.clock.runFor(ms);
      await eventually(() => pending.size === 0);
    };
    const stale: string[] = [];
    const kept: string[] = [];
    for (const path of await pathsOfRouter()) {
      await page.goto(`${scene.url}${addressOf(path).slice(1)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      for (let seconds = 0; seconds < 3; seconds += 1) await passTime(1000);
      const first = new Set(requests.splice(0).map(({ url }) => url));
      for (let seconds = 0; seconds < 32; seconds += 8) await passTime(8000);
      const again = requests.splice(0);
      stale.push(...[...first].filter((url) => !FIXED.test(url) && !again.some((one) => one.url === url)));
      kept.push(...again.filter(({ isBackground }) => !isBackground).map(({ url }) => url));
    }
    expect(stale, 'asked once only').to.deep.equal([]);
    expect(kept, 'asked as if somebody did').to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('every address above that of a page leads to a page, with a slash at its end or without', async () => {
    const { page, context, faults } = await scene.signIn();
    const paths = await pathsOfRouter();
    const above = new Set(
      paths.flatMap((path) => path.split('/').map((_, index, parts) => parts.slice(0, index).join('/'))),
    );
    await page.goto(scene.url);
    for (const path of [...above].filter(Boolean)) {
      for (const end of ['', '/']) {
        const address = addressOf(path) + end;
        await goTo(page, `${scene.url}status`);
        await page.getByRole('heading', { name: 'Status', level: 1 }).waitFor();
        await goTo(page, `${scene.url}${address.slice(1)}`);
        await page.getByRole('heading', { name: 'Status', level: 1 }).waitFor({ state: 'detached' });
        const title = page.getByRole('heading', { name: /\w/, level: 1 });
        expect(await title.innerText(), address).to.not.equal('Page not found');
      }
    }
    await goTo(page, `${scene.url}settings`);
    await page.waitForURL(/settings\/saml$/);
    await goTo(page, `${scene.url}settings/nope`);
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor();
    await goTo(page, `${scene.url}access/auth/`);
    await page.waitForURL(/access\/auth-methods$/);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever may only create what a page lists finds the button there, and no filter', async () => {
    const { client } = scene.sealift;
    const policy = 'path "sys/alerts/ours" { capabilities = ["create"] }';
    await client.post('/v1/sys/policies/acl/creator', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['creator'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await page.goto(`${scene.url}alerts`);
    await page.getByText('You don’t have permission.').waitFor();
    await page.getByRole('link', { name: 'Create a rule' }).click();
    await page.getByRole('textbox', { name: 'Name', exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});

/** What somebody could press, follow or fill in. */
async function offersIn(main: Locator): Promise<string[]> {
  const all = main.locator('button, a, input, select, textarea').filter({ visible: true });
  return all.evaluateAll((found: { outerHTML: string }[]) => found.map((one) => one.outerHTML));
}
