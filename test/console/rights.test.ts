import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { continueToOptions, continueToSecrets, fillCloud1 } from './support/wizard.ts';
import { eventually } from '../support/eventually.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LINK = 'destinations/cloud1-sm/prod/secret/secret/app/db';
const READ_VALUES = 'path "secret/data/app/db" {\n  capabilities = ["read"]\n}';
const KEYS =
  'path "secret/metadata/*" { capabilities = ["read", "list"] }\npath "secret/subkeys/*" { capabilities = ["read"] }';
const SYNC = 'path "sys/sync/*" { capabilities = ["create", "read", "update", "patch", "delete", "list"] }';
const MOUNTS = 'path "sys/internal/ui/mounts" { capabilities = ["read"] }';

describe('rights beyond the path of a call, in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  const signInWith = async (name: string, ...rules: string[]) => {
    const { client } = scene.sealift;
    await client.post(`/v1/sys/policies/acl/${name}`, { policy: [...rules, MOUNTS].join('\n') });
    const made = await client.post('/v1/auth/token/create', { policies: [name] });
    return scene.signIn({ token: made.body.auth.client_token });
  };

  const missingBeside = async (page: Page, button: string): Promise<string> => {
    const found = page.getByRole('button', { name: button, exact: true }).first();
    await found
      .locator('xpath=following-sibling::button[@title="Which permission is missing?"]')
      .first()
      .click();
    expect(await found.isDisabled(), button).to.equal(true);
    return readMissing(page);
  };

  const readMissing = async (page: Page): Promise<string> => {
    const dialog = page.getByRole('dialog', { name: 'You don’t have permission' });
    const rules = await dialog.locator('pre').innerText();
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    return rules;
  };

  it('whoever may sync but not read a secret sees so at Sync now, Reveal, its key and the plan', async () => {
    const { page, context, faults } = await signInWith('syncer', SYNC, KEYS);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.url().split('/').at(-1) ?? '');
    });
    await page.goto(`${scene.url}${LINK}`);
    expect(await missingBeside(page, 'Sync now')).to.equal(READ_VALUES);
    await page.keyboard.press('s');
    expect(await readMissing(page)).to.equal(READ_VALUES);
    expect(sent).to.not.include('set');
    await page.keyboard.press('v');
    await page.getByText('matches').waitFor();
    await page.goto(`${scene.url}secrets/secret/app/db`);
    expect(await missingBeside(page, 'Reveal user')).to.equal(READ_VALUES);

    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    await page.getByLabel('Secrets (one per line)').fill('app/db');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('Show the missing rule').click();
    expect(await page.locator('dialog pre').innerText()).to.equal(READ_VALUES);
    expect(await page.getByRole('button', { name: 'Link and sync' }).isDisabled()).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever may link nothing sees so before a destination is chosen', async () => {
    const summary = 'path "sys/sync/summary/*" { capabilities = ["read"] }';
    const reader = await signInWith('looker', summary, KEYS, READ_VALUES);
    await reader.page.goto(`${scene.url}secrets/secret/app/db`);
    expect(await missingBeside(reader.page, 'Sync this secret to…')).to.equal(
      'path "sys/sync/destinations/*" {\n  capabilities = ["update"]\n}',
    );
    const one =
      'path "sys/sync/destinations/cloud1-sm/prod/associations/set-many" { capabilities = ["update"] }';
    const linker = await signInWith('linker', summary, KEYS, READ_VALUES, one);
    await linker.page.goto(`${scene.url}secrets/secret/app/db`);
    await linker.page.getByRole('button', { name: 'Sync this secret to…' }).click();
    await linker.page.getByRole('dialog', { name: 'Sync app/db to…' }).waitFor();
    for (const { context, faults } of [reader, linker]) {
      expect(faults).to.deep.equal([]);
      await context.close();
    }
  });

  it('whoever may write but not read a secret replaces it, and is told that all keys go', async () => {
    const write = 'path "secret/data/app/blind" { capabilities = ["create", "update"] }';
    await scene.sealift.client.post('/v1/secret/data/app/blind', { data: { old: '1' } });
    const { page, context } = await signInWith('writer', write);
    await page.goto(`${scene.url}secrets/secret/app/blind`);
    await page.getByRole('button', { name: 'Write a new version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write a new version of app/blind' });
    await dialog.getByText('The new version replaces all of its keys').waitFor();
    await dialog.getByLabel('Name of the new key').fill('fresh');
    await dialog.getByLabel('Value of the new key').fill('2');
    await dialog.getByRole('button', { name: 'Save version' }).click();
    await page.getByText('Saved as v2.').waitFor();
    const { body } = await scene.sealift.client.get('/v1/secret/data/app/blind');
    expect(body.data.data).to.deep.equal({ fresh: '2' });
    expect(body.data.metadata.version).to.equal(2);
    await context.close();
  });

  it('whoever may read a secret may reveal it, without a rule for the call that reveals', async () => {
    const { page, context } = await signInWith('reader', KEYS, READ_VALUES);
    await page.goto(`${scene.url}secrets/secret/app/db`);
    await page.getByRole('button', { name: 'Reveal user' }).click();
    await page.getByRole('button', { name: 'Hide user' }).waitFor();
    expect(await page.getByRole('button', { name: 'Reveal password' }).isDisabled()).to.equal(false);
    await context.close();
  });

  it('versions are compared only by whoever may read how they differ', async () => {
    for (const v of [1, 2]) await scene.sealift.client.post('/v1/secret/data/app/twice', { data: { v } });
    const { page, context } = await signInWith('keeper', KEYS);
    await page.goto(`${scene.url}secrets/secret/app/twice`);
    const rule = 'path "secret/diff/app/twice" {\n  capabilities = ["read"]\n}';
    expect(await missingBeside(page, 'Compare version 1')).to.equal(rule);
    await context.close();
  });

  it('a check, a plan and a creation of a draft need the right to create it', async () => {
    const { page, context, faults } = await signInWith(
      'looker',
      'path "sys/schemas" { capabilities = ["read"] }',
      'path "sys/sync/destinations/+/+/+" { capabilities = ["update"] }',
      'path "sys/sync/destinations/cloud1-sm/mine" { capabilities = ["create"] }',
    );
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    const name = page.getByLabel('Destination name');
    await fillCloud1(page, 'other');
    const creation = 'path "sys/sync/destinations/cloud1-sm/other" {\n  capabilities = ["create"]\n}';
    expect(await missingBeside(page, 'Test connection')).to.equal(creation);
    await continueToOptions(page);
    await continueToSecrets(page);
    expect(await missingBeside(page, 'Preview changes')).to.equal(creation);
    expect(await missingBeside(page, 'Create')).to.equal(creation);
    await page.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('button', { name: 'Back' }).click();
    await name.fill('mine');
    await page.getByTitle('Which permission is missing?').waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Test connection' }).isDisabled()).to.equal(false);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an action that needs sudo says so, and a form offers the names that the caller may use', async () => {
    const { page, context } = await signInWith(
      'helper',
      'path "auth/token/accessors" { capabilities = ["read"] }',
      'path "auth/token/create" { capabilities = ["update"] }',
      'path "sys/namespaces/team-*" { capabilities = ["create", "update"] }',
    );
    await page.goto(`${scene.url}access/tokens`);
    await page.getByText('Show the missing rule').click();
    const rule = (path: string) => `path "${path}" {\n  capabilities = ["sudo"]\n}`;
    expect(await page.locator('pre').innerText()).to.equal(rule('auth/token/accessors'));
    await page.getByRole('button', { name: 'Create a token' }).click();
    await page.getByLabel('Policies', { exact: true }).fill('helper');
    await page.keyboard.press('Enter');
    await page.getByLabel('Policies', { exact: true }).fill('syncer');
    expect(await missingBeside(page, 'Create')).to.equal(rule('auth/token/create'));

    await page.goto(`${scene.url}access/namespaces`);
    await page.getByRole('button', { name: 'Create a namespace' }).first().click();
    await page.getByRole('textbox', { name: 'Name' }).fill('ops');
    expect(await missingBeside(page, 'Create')).to.include('path "sys/namespaces/ops"');
    await page.getByRole('textbox', { name: 'Name' }).fill('team-a');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect((await scene.sealift.client.get('/v1/sys/namespaces/team-a')).status).to.equal(200);
    await context.close();
  });

  it('the console does not ask by itself for what the caller may not read', async () => {
    const { page, context } = await signInWith('stranger', KEYS);
    await page.clock.install();
    const requests: string[] = [];
    page.on('request', (request) => void requests.push(new URL(request.url()).pathname));
    const times = (path: RegExp): number => requests.filter((one) => path.test(one)).length;
    await page.goto(`${scene.url}secrets/secret/app/`);
    await page.getByRole('link', { name: 'db' }).waitFor();
    for (const minute of [1, 2, 3]) {
      // A question whose answer is still under way is not asked again.
      await eventually(async () => {
        await page.clock.runFor(60_000);
        return times(/secret\/metadata\/app/) > minute;
      });
    }
    expect(times(/summary/)).to.equal(0);
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByText('You don’t have permission.').first().waitFor();
    const pulses = times(/auth\/session$/);
    await page.clock.runFor(60_000);
    await eventually(() => times(/auth\/session$/) > pulses + 1);
    expect(times(/summary/)).to.equal(0);
    await context.close();
  });

  it('a missing rule names the lower namespace as its policy must', async () => {
    await scene.sealift.client.post('/v1/sys/namespaces/below', {});
    const { page, context } = await signInWith(
      'above',
      'path "below/sys/namespaces" { capabilities = ["list"] }',
      'path "api/v2/admin/smtp-settings" { capabilities = ["read", "patch"] }',
    );
    await page.goto(`${scene.url}access/namespaces?ns=below`);
    const rule = 'path "below/sys/namespaces/+" {\n  capabilities = ["update"]\n}';
    expect(await missingBeside(page, 'Create a namespace')).to.equal(rule);
    await page.getByRole('button', { name: 'Which permission is missing?' }).first().click();
    await page.getByText('It belongs in a policy of the namespace root').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    const response = page.waitForResponse(/capabilities-self$/);
    await page.goto(`${scene.url}settings/smtp?ns=below`);
    await response;
    await page.getByLabel('Sender').fill('ops@example.com');
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(false);
    await context.close();
  });

  it('rights that are taken away lock the open page without a visit to another one', async () => {
    const { page, context, faults } = await signInWith('passing', READ_VALUES, KEYS);
    await page.goto(`${scene.url}secrets/secret/app/db`);
    const reveal = page.getByRole('button', { name: /^Reveal/ }).first();
    await reveal.waitFor();
    expect(await reveal.isEnabled()).to.equal(true);
    await scene.sealift.client.post('/v1/sys/policies/acl/passing', { policy: MOUNTS });
    // It may go between the two questions.
    const isLocked = () => reveal.isDisabled({ timeout: 500 }).catch(() => false);
    await eventually(async () => (await reveal.count()) === 0 || (await isLocked()));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an open page asks for its rights again in each ten seconds', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.clock.install();
    await page.goto(scene.url);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    for (let round = 0; round < 4; round += 1) {
      const request = page.waitForRequest(/capabilities-(?:self|below)$/, { timeout: 5000 });
      await page.clock.runFor(10_100);
      await request;
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a page that has its data before it knows its rights shows them afterwards', async () => {
    const { page, context, faults } = await scene.signIn();
    const pages: [path: string, data: string][] = [
      ['', 'sys/sync/summary?'],
      ['access/policies', 'sys/policies/acl?'],
      ['access/namespaces', 'sys/namespaces?'],
      ['access/auth', 'sys/auth'],
      ['access/teams', 'sys/teams?'],
    ];
    for (const [path, data] of pages) {
      let permit = (): void => undefined;
      const permission = new Promise<void>((resolve) => (permit = resolve));
      await page.route('**/v1/sys/capabilities-below', async (route) => {
        await permission;
        await route.continue();
      });
      const answered = page.waitForResponse((response) => response.url().includes(`/v1/${data}`));
      await page.goto(`${scene.url}${path}`);
      await (await answered).finished();
      // The page has taken the answer in once it has rendered after it.
      await page.evaluate('new Promise((done) => setTimeout(done, 200))');
      permit();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      await page.unroute('**/v1/sys/capabilities-below');
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
