import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const GONE = 'This doesn’t exist any more, or you no longer have access.';

describe('a page of the console whose thing someone ends meanwhile', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    for (const path of ['app/taken', 'app/dialog', 'app/own'])
      scene.fake.plant({ name: path, value: 'of somebody else' });
    for (const path of ['app/taken', 'app/dialog', 'app/own', 'app/kept']) {
      await scene.link(path);
    }
    await scene.waitForCounts({ SYNCED: 1, CLIENT_SIDE_ERROR: 3 });
  });

  after(() => scene.close());

  const change = (what: string, path: string) =>
    scene.sealift.client.post(`${scene.driver.path}/associations/${what}`, {
      mount: 'secret',
      secret_name: path,
    });

  // Who comes back to the page reads again what is older than some seconds.
  async function comeBack(page: Page, text: string): Promise<void> {
    await eventually(async () => {
      await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
      return (await page.getByText(text).count()) > 0;
    });
  }

  // What a person could do there.
  async function offersOf(page: Page): Promise<string[]> {
    const buttons = await page.getByRole('main').getByRole('button').all();
    const names = await Promise.all(
      buttons.map(async (button) => ((await button.isEnabled()) ? button.innerText() : '')),
    );
    return names.filter(Boolean);
  }

  it('the page of a link that someone unlinks says who did, and offers nothing about it', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/taken`);
    await page.getByRole('button', { name: 'Adopt this entry…' }).waitFor();
    await change('remove', 'app/taken');
    await page.getByRole('heading', { name: 'This secret is not linked to prod any more' }).waitFor();
    await page.getByText(/^root unlinked it \d+ s ago/).waitFor();
    expect(await page.getByRole('region', { name: 'Status' }).count()).to.equal(0);
    expect(await offersOf(page)).to.deep.equal([]);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Open destination' }).click();
    await page.getByText('secret/app/kept').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a former link says what became of its entries in the store', async () => {
    const { client } = scene.sealift;
    const keys = '/v1/sys/sync/destinations/cloud1-sm/keys';
    await client.post(keys, {
      access_key_id: 'AKIAEXAMPLEONE',
      secret_access_key: 'a-secret-key',
      region: 'eu-central-1',
      granularity: 'secret-key',
    });
    await scene.driver.write('app/former', { password: 'one', user: 'app' });
    const secret = { mount: 'secret', secret_name: 'app/former' };
    await client.post(`${keys}/associations/set`, secret);
    for (const path of ['app/deleted', 'app/retained']) {
      await scene.link(path);
      await scene.driver.settles(path, 'SYNCED');
    }
    await eventually(() => scene.fake.entries().filter(({ name }) => name.includes('former')).length === 2);
    await change('remove', 'app/deleted');
    await client.post(`${keys}/associations/remove`, secret);
    await eventually(() => scene.fake.entries().every(({ name }) => !/former|deleted/.test(name)));
    await scene.driver.patch({ deletion_policy: 'retain' });
    await change('remove', 'app/retained');
    const { page, context, faults } = await scene.signIn();
    for (const [link, text] of [
      ['prod/secret/secret/app/deleted', /^Its entry was deleted in the store \d+ s ago /],
      ['keys/secret/secret/app/former', /^2 entries were deleted in the store \d+ s ago /],
      ['prod/secret/secret/app/retained', 'What Sealift wrote was kept in the store.'],
    ] as const) {
      await page.goto(`${scene.url}destinations/cloud1-sm/${link}`);
      await page.getByText(text).waitFor();
    }
    const history = page.getByRole('region', { name: 'History' });
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/app/former`);
    const deletion = history.getByRole('row', { name: /Deleted key password/ });
    await deletion.waitFor();
    expect(await deletion.innerText()).to.not.include('saved by');
    await history.getByRole('row', { name: /Created key password.*saved by root/s }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await scene.driver.patch({ deletion_policy: 'delete' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a decision in an open dialog about a link that someone unlinks does not link it again', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/dialog`);
    // The page does not learn it in time.
    await page.getByRole('button', { name: 'Adopt this entry…' }).click();
    await page.getByRole('dialog').getByText('1 to overwrite').waitFor();
    await page.route(/associations\?/, (route) => route.abort());
    await change('remove', 'app/dialog');
    await scene.waitForCounts({ SYNCED: 1, CLIENT_SIDE_ERROR: 1 });
    await page.getByRole('dialog').getByRole('textbox').fill('prod');
    await page.getByRole('dialog').getByRole('button', { name: 'Adopt 1 entry' }).click();
    await page.getByRole('dialog').getByText('not associated with this destination').waitFor();
    expect(scene.fake.entries().find(({ name }) => name === 'app/dialog')?.value).to.equal(
      'of somebody else',
    );
    await context.close();
  });

  it('the page of a link says that it is unlinked to whoever comes back to it after that', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/app/own`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink', exact: true }).click();
    await page.waitForURL(/destinations\/cloud1-sm\/prod$/);
    await scene.waitForCounts({ SYNCED: 1 });
    await page.goBack();
    await page.getByRole('heading', { name: 'This secret is not linked to prod any more' }).waitFor();
    expect(await offersOf(page)).to.deep.equal([]);
    await page.reload();
    await page.getByRole('heading', { name: 'This secret is not linked to prod any more' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a page of what someone deletes offers nothing to do about it any more', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/alerts/ours', {
      channel: 'webhook',
      url: 'https://hooks.example.org/a',
      secret: 'c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ=',
    });
    await client.post('/v1/sys/policies/acl/ours', { policy: 'path "secret/x" { capabilities = ["read"] }' });
    await client.post('/v1/sys/auth/machines', { type: 'approle' });
    await client.post('/v1/auth/machines/role/builder', { token_policies: ['ours'] });
    const left: Record<string, string[]> = {};
    const things: [page: string, there: string, api: string, gone: string][] = [
      ['alerts/ours', 'Delete rule…', '/v1/sys/alerts/ours', GONE],
      ['access/policies/ours', 'Delete policy…', '/v1/sys/policies/acl/ours', 'Someone deleted this policy.'],
      ['access/auth/machines?role=builder', 'Delete role…', '/v1/auth/machines/role/builder', GONE],
      ['access/auth/machines', 'Create a role', '/v1/sys/auth/machines', 'There is no auth method'],
      [
        'secrets/secret/app/own',
        'Delete this secret…',
        '/v1/secret/metadata/app/own',
        'The page shows what it was',
      ],
    ];
    const { page, context, faults } = await scene.signIn();
    for (const [path, there, api, gone] of things) {
      await page.goto(`${scene.url}${path}`);
      await page.getByText(there).waitFor();
      const { status, text } = await client.delete(api);
      expect(status, `${api} ${text}`).to.be.oneOf([200, 204]);
      await comeBack(page, gone);
      left[path] = await offersOf(page);
    }
    // What acts on nothing that is stored, and what says that it makes the policy anew.
    expect(left).to.deep.equal({
      'alerts/ours': ['Replace', 'Replace'],
      'access/policies/ours': ['Save', 'Discard', 'Test'],
      'access/auth/machines?role=builder': ['Copy the role ID'],
      'access/auth/machines': [],
      'secrets/secret/app/own': [],
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
