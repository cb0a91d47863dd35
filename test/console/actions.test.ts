import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { findBarriers } from './support/axe.ts';
import { goTo } from './support/browser.ts';
import { copyCurl } from './support/copy.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = 'sys/sync/destinations/cloud1-sm/prod';
const OPA = '/api/v2/admin/opa-versions';

/** Actions of every kind: the page, the button's name, and the right that its call needs; `:id` is of the version. */
const ACTIONS: [page: string, button: string, path: string, capability: string][] = [
  ['problems', 'Retry prod (AWS Secrets Manager)', `${STORE}/associations/retry`, 'update'],
  ['destinations/cloud1-sm/prod', 'Test connection', `${STORE}/check`, 'update'],
  ['', 'Pause syncing…', 'sys/sync/pause', 'update'],
  ['destinations/cloud1-sm/prod', 'Pause…', `${STORE}/pause`, 'update'],
  ['destinations/cloud1-sm/prod', 'Link secrets', `${STORE}/associations/set-many`, 'update'],
  ['destinations/cloud1-sm/prod?q=app', 'Unlink 2…', `${STORE}/associations/remove-many`, 'update'],
  ['destinations/cloud1-sm/prod/secret/secret/app/db', 'Sync now', `${STORE}/associations/set`, 'update'],
  ['destinations/cloud1-sm/prod/secret/secret/app/db', 'Verify', `${STORE}/associations/verify`, 'update'],
  ['destinations/cloud1-sm/prod/secret/secret/app/db', 'Unlink…', `${STORE}/associations/remove`, 'update'],
  ['destinations/cloud1-sm/prod/settings', 'Save', STORE, 'patch'],
  ['destinations/cloud1-sm/prod/settings', 'Delete destination…', STORE, 'delete'],
  ['secrets/secret/app/db', 'Edit', 'secret/data/app/db', 'patch'],
  ['secrets/secret/app/db', 'Delete version 1', 'secret/delete/app/db', 'update'],
  ['secrets/secret/app/db', 'Destroy version 1', 'secret/destroy/app/db', 'update'],
  ['secrets/secret/app/db', 'Change metadata…', 'secret/metadata/app/db', 'patch'],
  ['secrets/secret/app/db', 'Delete this secret…', 'secret/metadata/app/db', 'delete'],
  ['secrets/secret/app/', 'Create a secret', 'secret/data/app/+', 'create'],
  ['secrets/secret/', 'Delete mount…', 'sys/mounts/secret', 'delete'],
  ['secrets', 'Create a mount', 'sys/mounts/+', 'update'],
  ['settings/smtp', 'Save', 'api/v2/admin/smtp-settings', 'patch'],
  ['settings/oidc', 'Rotate the signing key…', 'api/v2/admin/oidc-settings/actions/rotate-key', 'update'],
  ['access/tokens', 'Create a token', 'auth/token/create', 'update'],
  ['access/tokens', 'Revoke watcher', 'auth/token/revoke-accessor', 'update'],
  ['access/policies/watcher', 'Save', 'sys/policies/acl/watcher', 'update'],
  ['access/policies/watcher', 'Delete policy…', 'sys/policies/acl/watcher', 'delete'],
  ['access/policies', 'Create policy', 'sys/policies/acl/+', 'update'],
  ['access/namespaces', 'Create a namespace', 'sys/namespaces/+', 'update'],
  ['access/namespaces', 'Create child of team/', 'sys/namespaces/team/+', 'update'],
  ['access/namespaces', 'Delete team/', 'sys/namespaces/team', 'delete'],
  ['access/sessions', 'End the session of root', 'auth/session/', 'delete'],
  ['versions', 'Add a version', OPA.slice(1), 'update'],
  ['versions', 'Disable 1.2.0', `${OPA.slice(1)}/:id`, 'patch'],
  ['versions', 'Deprecate 1.2.0', `${OPA.slice(1)}/:id`, 'patch'],
  ['versions', 'Delete 1.2.0', `${OPA.slice(1)}/:id`, 'delete'],
];

describe('actions in the console', function () {
  let scene: ConsoleScene;
  let watcher: string;
  let version: string;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    const { client, start } = scene.sealift;
    await start('settings', startSettingsWorker);
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    for (const path of ['app/db', 'app/taken']) await scene.link(path);
    await scene.waitForCounts({ SYNCED: 1, CLIENT_SIDE_ERROR: 1 });
    await client.post('/v1/sys/policies/acl/watcher', {
      path: { '*': { capabilities: ['read', 'list', 'sudo'] } },
    });
    const made = await client.post('/v1/auth/token/create', {
      policies: ['watcher'],
      display_name: 'watcher',
    });
    watcher = made.body.auth.client_token;
    await client.post('/v1/sys/namespaces/team', {});
    const attributes = { version: '1.2.0', url: 'https://example.com/opa', sha: 'ab'.repeat(32) };
    version = (await client.post(OPA, { data: { type: 'opa-versions', attributes } })).body.data.id;
  });

  after(() => scene.close());

  const open = async (page: Page, path: string, button: string): Promise<Locator> => {
    if (page.url() !== `${scene.url}${path}`) await goTo(page, `${scene.url}${path}`);
    const found = page.getByRole('button', { name: button, exact: !button.startsWith('Revoke') }).first();
    await found.waitFor();
    return found;
  };

  it('an action that the caller may not press names the missing rule', async () => {
    const root = await scene.signIn();
    const { page, context, faults } = await scene.signIn({ token: watcher });
    for (const [path, name, rulePath, capability] of ACTIONS) {
      const button = await open(page, path, name);
      const lock = button
        // The next one, because the locks of other buttons may come first.
        .locator('xpath=following-sibling::*[1][self::button and @title="Which permission is missing?"]');
      await lock.click();
      expect(await button.isDisabled(), `${path}: ${name}`).to.equal(true);
      const dialog = page.getByRole('dialog', { name: 'You don’t have permission' });
      const rule = await dialog.locator('pre').innerText();
      const right = `path "${rulePath.replace(':id', version)}`;
      expect(rule, `${path}: ${name}`).to.include(right).and.include(`capabilities = ["${capability}"]`);
      // The dialog is the same for every action.
      if (path === 'problems') expect(await findBarriers(page)).to.deep.equal([]);
      await dialog.getByRole('button', { name: 'Close' }).click();
    }
    await page.goto(`${scene.url}access/sessions`);
    const own = page
      .getByRole('row', { name: /this browser/ })
      .getByRole('button', { name: /End the session/ });
    expect(await own.isDisabled()).to.equal(false);
    expect(faults).to.deep.equal([]);
    await Promise.all([root.context.close(), context.close()]);
  });

  it('whoever may do everything is stopped by no action', async () => {
    const { page, context, faults } = await scene.signIn();
    for (const [path, name] of ACTIONS) {
      const button = await open(page, path, name);
      // Nothing is typed that could be saved.
      if (name !== 'Save') expect(await button.isDisabled(), `${path}: ${name}`).to.equal(false);
      expect(await page.getByRole('button', { name: 'Which permission is missing?' }).count()).to.equal(0);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('every action is offered as curl, and no copy holds a token or a secret that was typed', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    const watched = await scene.signIn({ permissions });
    const { page, context, faults } = watched;
    const copy = async (name: string): Promise<string> => {
      const text = await copyCurl(watched, name);
      expect(text).to.include('"Authorization: Bearer $SEALIFT_TOKEN"');
      expect(text).to.not.include(scene.sealift.token).and.not.include('typed-secret');
      return text;
    };

    await page.goto(`${scene.url}secrets/secret/app/db`);
    expect(await copy('Reveal user'))
      .to.include('/v1/sys/reveal/secret/app/db')
      .and.include('["user"]');
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Replace password' }).click();
    await page.getByLabel('New value of password').fill('typed-secret');
    expect(await copy('Save as v2'))
      .to.include('-X PATCH')
      .and.include('-d @body.json')
      .and.include('# body.json: {"data":{"password":"<password>"},"options":{"cas":1,"replace":true}}');

    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByRole('button', { name: 'Replace Secret access key' }).click();
    await page.getByLabel('Secret access key', { exact: true }).fill('typed-secret');
    expect(await copy('Save'))
      .to.include('If-Match')
      .and.include('-d @body.json');
    await page.getByRole('button', { name: 'Delete destination…' }).click();
    expect(await copy('Delete entries and destination'))
      .to.include('-X DELETE')
      .and.include('purge=true');

    await page.goto(`${scene.url}settings/smtp`);
    await page.getByLabel('Sender').fill('ops@example.com');
    expect(await copy('Save')).to.include(`"sender":"ops@example.com"`);
    await page.goto(`${scene.url}versions`);
    expect(await copy('Disable 1.2.0'))
      .to.include(`${OPA}/${version}`)
      .and.include('If-Match');
    await page.goto(`${scene.url}problems`);
    expect(await copy('Retry prod (AWS Secrets Manager)')).to.include('/associations/retry');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
