import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { SchemasAnswer } from '../../services/api/contract/forms.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW, WIDE } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const FOLDER = `path "secret/metadata/team-a/*" { capabilities = ["read", "list"] }
path "secret/data/team-a/*" { capabilities = ["create", "read", "update"] }
path "secret/subkeys/team-a/*" { capabilities = ["read"] }`;
const WATCH = 'path "sys/sync/*" { capabilities = ["read", "list"] }';
const AUDIT = 'path "api/v2/admin/audit-events" { capabilities = ["read"] }';

describe('what different people see of the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
    await scene.link('team-a/db');
    await scene.driver.write('elsewhere', { user: 'b' });
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  const signIn = async (name: string, rules: string[], policies: string[] = [name]) => {
    const { client } = scene.sealift;
    if (rules.length > 0) await client.post(`/v1/sys/policies/acl/${name}`, { policy: rules.join('\n') });
    const made = await client.post('/v1/auth/token/create', { policies, display_name: name });
    return scene.enter({ token: made.body.auth.client_token });
  };

  const menuOf = async (page: Page): Promise<string[]> =>
    (await page.getByRole('navigation', { name: 'Main' }).getByRole('link').allInnerTexts()).map((text) =>
      text.trim(),
    );

  const expectSense = async (page: Page, heading: string, menu: string[]): Promise<void> => {
    await page.getByRole('heading', { name: heading, exact: true }).waitFor();
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
    expect(await menuOf(page)).to.deep.equal(menu);
    expect(await page.getByRole('alert').allInnerTexts()).to.deep.equal([]);
    expect(await findBarriers(page)).to.deep.equal([]);
  };

  // Follows every link of the page's content once, and each page says nothing of a missing right in place of its content.
  const expectNoRefusal = async (page: Page, from: string): Promise<string[]> => {
    const seen = new Set<string>();
    const waiting = [from];
    for (let next = waiting.shift(); next !== undefined && seen.size < 25; next = waiting.shift()) {
      const { pathname } = new URL(next, scene.url);
      if (seen.has(pathname)) continue;
      seen.add(pathname);
      await page.goto(new URL(next, scene.url).href);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
      expect(await page.getByRole('alert').allInnerTexts(), pathname).to.deep.equal([]);
      const links = await page
        .locator('main a, nav a')
        .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
      waiting.push(...links.filter((href) => href.startsWith(scene.url)));
    }
    return [...seen];
  };

  it('an auditor lands on the audit trail, and the menu offers nothing that is refused', async () => {
    const { page, context, faults } = await signIn('auditor', [AUDIT]);
    await expectSense(page, 'Audit', ['Access', 'Audit']);
    await page.getByText(/[0-9] entries/).waitFor();
    await page.getByRole('link', { name: 'Access' }).click();
    await expectSense(page, 'Sessions', ['Access', 'Audit']);
    const tabs = await page.getByRole('navigation', { name: 'Access' }).getByRole('link').allInnerTexts();
    expect(tabs).to.deep.equal(['Sessions']);
    await expectNoRefusal(page, scene.url);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever has the default policy alone reads whom to ask, and goes on once there are rights', async () => {
    await scene.sealift.client.patch('/api/v2/admin/customization-settings', {
      data: { type: 'customization-settings', attributes: { 'new-user': 'Ask Carol,\nin room 3.' } },
    });
    const { page, context, faults } = await signIn('anybody', [], ['default', 'newcomer']);
    const main = page.getByRole('main');
    await main.getByText('you have no permissions yet').waitFor();
    expect(await main.getByText('Ask Carol').innerText()).to.equal('Ask Carol,\nin room 3.');
    await page.getByRole('heading', { name: 'Welcome to Sealift', exact: true }).waitFor();
    expect(await menuOf(page)).to.deep.equal(['Overview', 'Access']);
    await main.getByText('signed in as anybody').waitFor();
    await main.getByText('This page goes on by itself once newcomer gives you permissions.').waitFor();
    await page.setViewportSize(NARROW);
    await page.getByRole('navigation', { name: 'Main' }).getByText('Signed in as anybody').waitFor();
    await page.setViewportSize(WIDE);
    await page.goto(`${scene.url}secrets/`);
    await page.getByRole('heading', { name: 'No mounts that you may see' }).waitFor();
    await page.goto(scene.url);
    await main.getByText('you have no permissions yet').waitFor();
    const policy = 'path "sys/sync/summary*" { capabilities = ["read"] }';
    await scene.sealift.client.post('/v1/sys/policies/acl/newcomer', { policy });
    await page.getByText('Everything is in sync').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a site administrator without rights on secrets lands on the settings', async () => {
    const { page, context, faults } = await signIn('site-admin', [], ['site-admin']);
    await expectSense(page, 'SAML settings', ['Settings', 'Access', 'Audit']);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('connect');
    await page.getByText('Nothing matches.').waitFor();
    await page.keyboard.press('Escape');
    const seen = await expectNoRefusal(page, scene.url);
    expect(seen).to.include.members(['/ui/settings/smtp', '/ui/versions', '/ui/audit']);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever has a right to one kind of settings alone finds it in the menu, whichever it is', async () => {
    const schemas: SchemasAnswer = (await scene.sealift.client.get('/v1/sys/schemas')).body.data;
    const alone = schemas.settings.map(({ kind, type, actions, attributes }): [string, string] => [
      kind,
      attributes.length > 0
        ? `path "api/v2/admin/${type}" { capabilities = ["read", "patch"] }`
        : `path "${(actions[0]?.path ?? '').slice(1)}" { capabilities = ["update"] }`,
    ]);
    for (const [kind, rule] of alone) {
      const { page, context, faults } = await signIn(`only-${kind}`, [rule]);
      await page.getByRole('navigation', { name: 'Settings' }).getByRole('link').first().waitFor();
      expect(await menuOf(page), kind).to.deep.equal(['Settings', 'Access']);
      // Sealift itself uses nothing of it.
      const place = kind === 'cost-estimation' ? 'other-programs' : kind;
      expect(new URL(page.url()).pathname).to.equal(`/ui/settings/${place}`);
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'hidden' });
      expect(await page.getByRole('alert').allInnerTexts(), kind).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  it('a team with one folder lands on the secrets, and with a look at syncing on the overview', async () => {
    const { page, context, faults } = await signIn('team-a', [FOLDER]);
    await expectSense(page, 'Secrets', ['Secrets', 'Access']);
    await page.getByRole('link', { name: 'secret/' }).click();
    await page.getByText('You may not list this folder.').waitFor();
    expect(await page.locator('main pre').textContent()).to.equal(
      'path "secret/metadata" {\n  capabilities = ["list"]\n}',
    );
    await page.getByRole('link', { name: 'team-a/' }).click();
    await page.getByRole('link', { name: 'db' }).click();
    await page.getByRole('button', { name: 'Reveal user' }).waitFor();
    await page.getByText('path "sys/sync/associations/destinations"').waitFor({ state: 'attached' });
    const activity = page.getByRole('button', { name: 'Activity' });
    expect(await activity.isDisabled()).to.equal(true);
    expect(await page.getByRole('button', { name: 'Retry' }).count()).to.equal(0);
    expect(await page.getByText('elsewhere').count()).to.equal(0);
    const watcher = await signIn('team-b', [FOLDER, WATCH]);
    await expectSense(watcher.page, 'Overview', [
      'Overview',
      'Problems',
      'Destinations',
      'Secrets',
      'Access',
    ]);
    const connect = watcher.page.getByRole('button', { name: 'Connect a destination' });
    expect(await connect.isDisabled()).to.equal(true);
    const seen = await expectNoRefusal(watcher.page, scene.url);
    expect(seen).to.include.members(['/ui/destinations/cloud1-sm/prod', '/ui/secrets/secret/team-a/db']);
    expect([...faults, ...watcher.faults]).to.deep.equal([]);
    await Promise.all([context.close(), watcher.context.close()]);
  });

  it('the policy that the editor proposes opens its folder in the console, to its values', async () => {
    await scene.driver.write('app/db', { user: 'a' });
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}access/policies/proposed`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.goto(`${scene.url}access/tokens`);
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByText('For all others, use sealift token create.').waitFor();
    const reader = await signIn('proposed', []);
    await reader.page.getByRole('link', { name: 'secret/' }).click();
    await reader.page.getByRole('link', { name: 'app/' }).click();
    await reader.page.getByRole('link', { name: 'db' }).click();
    await reader.page.getByRole('button', { name: 'Reveal user' }).click();
    await reader.page.getByRole('button', { name: 'Hide user' }).waitFor();
    await Promise.all([context.close(), reader.context.close()]);
  });

  it('whoever may do everything has every page in the menu', async () => {
    const { page, context, faults } = await scene.enter();
    await expectSense(page, 'Overview', [
      'Overview',
      'Problems',
      'Destinations',
      'Secrets',
      'Alerts',
      'Settings',
      'Access',
      'Audit',
      'Status',
    ]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
