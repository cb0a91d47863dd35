import { expect } from 'chai';
import { cloud1Settings } from '../support/sandboxed.ts';
import { findBarriers } from './support/axe.ts';
import { openPage } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('namespaces in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client } = scene.sealift;
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
    for (const path of ['team-a', 'team-a/payments']) await client.post(`/v1/sys/namespaces/${path}`);
    await client.post('/v1/sys/mounts/kv', { type: 'kv-v2' }, { namespace: 'team-a' });
    await client.post('/v1/kv/data/of-the-team', { data: { a: '1' } }, { namespace: 'team-a' });
  });

  after(() => scene.close());

  it('destinations and secrets of every namespace are in one list and one search', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/namespaces/shops');
    await client.post('/v1/sys/sync/destinations/cloud1-sm/till', cloud1Settings(), { namespace: 'shops' });
    await client.post('/v1/sys/mounts/secret', { type: 'kv-v2' }, { namespace: 'shops' });
    await client.post('/v1/secret/data/till-key', { data: { a: '1' } }, { namespace: 'shops' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations`);
    await page.getByLabel('Namespace', { exact: true }).selectOption({ label: 'All namespaces' });
    await page.getByText('shops · AWS Secrets Manager').waitFor();
    await page.getByRole('link', { name: /^till/ }).click();
    await page.getByRole('button', { name: 'Namespace shops' }).waitFor();
    await page.keyboard.press('Control+k');
    const search = page.getByRole('combobox', { name: 'Page, destination, secret or action' });
    await search.fill('prod');
    await page.getByRole('option', { name: /Destination in root/ }).click();
    await page.getByRole('button', { name: 'Namespace root' }).waitFor();
    await page.keyboard.press('Control+k');
    await search.fill('till-key');
    await page.getByRole('option', { name: /Secret in shops/ }).click();
    await page.getByRole('heading', { name: 'secret/till-key' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('every call goes to the namespace that the address holds, on every page', async () => {
    const { page, context, faults } = await scene.enter();
    const requests: [string, string | undefined][] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      // The rights of site administration are those of the token, whatever namespace the page shows.
      if (request.postData()?.includes('"api/v2/')) return;
      if (/^\/v1\/(?!auth\/session)/.test(pathname))
        requests.push([pathname, request.headers()['x-namespace']]);
    });
    await page.reload();
    await page.getByText('Everything is in sync (1 link).').waitFor();
    expect(new Set(requests.map(([, namespace]) => namespace))).to.deep.equal(new Set([undefined]));
    await page.getByRole('button', { name: 'Namespace root' }).click();
    const choice = page.getByRole('dialog').getByRole('link', { name: 'team-a', exact: true });
    await choice.waitFor();
    requests.length = 0;
    await choice.click();
    await page.getByText('No destinations yet').waitFor();
    expect(new URL(page.url()).searchParams.get('ns')).to.equal('team-a');
    await page.getByRole('link', { name: 'Secrets' }).click();
    await page.getByRole('link', { name: 'kv/' }).click();
    await page.getByRole('link', { name: 'of-the-team' }).click();
    await page.getByRole('heading', { name: 'Keys of v1' }).waitFor();
    expect(new URL(page.url()).searchParams.get('ns')).to.equal('team-a');
    expect(requests.length).to.be.greaterThan(3);
    expect(new Set(requests.map(([, namespace]) => namespace))).to.deep.equal(new Set(['team-a']));

    await page.reload();
    await page.getByRole('heading', { name: 'Keys of v1' }).waitFor();
    await page.getByRole('button', { name: 'Namespace team-a' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'root' }).click();
    await page.getByText('Everything is in sync (1 link).').waitFor();
    expect(new URL(page.url()).searchParams.get('ns')).to.equal(null);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a namespace that does not exist is said to be none, without more and more requests', async () => {
    const { page, context, faults } = await scene.signIn();
    let count = 0;
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.startsWith('/v1/')) count += 1;
    });
    for (const path of ['', 'destinations', 'secrets/', 'access/sessions', 'connect']) {
      count = 0;
      await page.goto(`${scene.url}${path}?ns=nope`);
      await page.getByText('There is no namespace nope, or you don’t have access to it.').waitFor();
      await page.waitForLoadState('networkidle');
      expect(count, path).to.be.lessThan(15);
    }
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'SAML settings' }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Go to the namespace root' }).click();
    await page.getByText('Everything is in sync (1 link).').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a page goes on when the service can not say what the user may do', async () => {
    const { page, context, faults } = await scene.signIn();
    let count = 0;
    await page.route('**/v1/sys/capabilities-*', (route) => {
      count += 1;
      return route.fulfill({ status: 500, json: { errors: ['internal error'] } });
    });
    await page.route('**/v1/sys/sync/summary*', (route) =>
      route.fulfill({ status: 403, json: { errors: ['permission denied'] } }),
    );
    await page.goto(scene.url);
    await page.getByText('Permission denied').waitFor();
    await page.waitForLoadState('networkidle');
    expect(count).to.be.lessThan(15);
    await page.getByText('Permission denied').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a token of a namespace signs in without naming it, and is at home there', async () => {
    const { client } = scene.sealift;
    const namespace = 'team-a';
    const path = { '*': { capabilities: ['create', 'read', 'update', 'delete', 'list'] } };
    await client.post('/v1/sys/policies/acl/team', { path }, { namespace });
    const made = await client.post('/v1/auth/token/create', { policies: ['team'] }, { namespace });
    const { page, context, faults } = await openPage(scene.browser, scene.sealift.url);
    await page.goto(scene.url);
    await page.getByLabel('Token').fill(made.body.auth.client_token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Namespace team-a' }).waitFor();
    await page.getByText('No destinations yet').waitFor();
    await page.getByRole('button', { name: 'Namespace team-a' }).click();
    await page.getByRole('dialog').getByRole('link', { name: 'team-a/payments' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
