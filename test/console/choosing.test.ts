import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { continueToOptions, continueToSecrets, fillCloud1 } from './support/wizard.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('choosing instead of typing', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    for (const path of ['team/a/db', 'team/a/mail', 'team/b/db', 'team_x/db', 'solo'])
      await scene.driver.write(path, { user: 'app' });
    for (const path of ['linked/one', 'linked/two', 'linked/three']) await scene.link(path);
    await scene.waitForCounts({ SYNCED: 3 });
  });

  after(() => scene.close());

  const nameInStore = (name: string): boolean => scene.fake.entries().some((entry) => entry.name === name);

  it('secrets are chosen by folder, search and pattern with their number, and then linked', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    const dialog = page.getByRole('dialog');
    const chosen = dialog.getByLabel('Secrets (one per line)');
    await dialog.getByRole('button', { name: 'Open team/', exact: true }).click();
    await dialog.getByText('Add all (2)').waitFor();
    await dialog.getByRole('button', { name: 'Add all of team/a/' }).click();
    await dialog.getByText('2 secrets added.').waitFor();
    expect(await chosen.inputValue()).to.equal('secret/team/a/db\nsecret/team/a/mail');
    await dialog.getByRole('button', { name: 'Open team/b/' }).click();
    await dialog.getByRole('checkbox', { name: 'db' }).check();
    await dialog.getByText('3 secrets chosen').waitFor();
    await dialog.getByRole('checkbox', { name: 'db' }).uncheck();
    await dialog.getByText('2 secrets chosen').waitFor();
    await dialog.getByLabel('Find secrets').fill('team/*/db');
    await dialog.getByText('2 secrets found').waitFor();
    await dialog.getByRole('button', { name: 'Add 1', exact: true }).click();
    await dialog.getByLabel('Find secrets').fill('team_');
    await dialog.getByText('1 secret found').waitFor();
    for (const find of ['SOL', 'secret/sol']) {
      await dialog.getByLabel('Find secrets').fill(find);
      await dialog.getByText('1 secret found').waitFor();
    }
    await dialog.getByLabel('Find secrets').fill('sol');
    await dialog.getByRole('checkbox', { name: 'solo' }).check();
    expect((await chosen.inputValue()).split('\n')).to.deep.equal([
      'secret/team/a/db',
      'secret/team/a/mail',
      'secret/team/b/db',
      'secret/solo',
    ]);
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await answerDialog(page, 'Link and write 4 entries');
    await eventually(() => ['team/a/db', 'team/a/mail', 'team/b/db', 'solo'].every(nameInStore));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('all of an opened folder is added at once, and with Shift a range of it is ticked', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    const dialog = page.getByRole('dialog');
    const chosen = dialog.getByLabel('Secrets (one per line)');
    await dialog.getByRole('button', { name: 'Open linked/' }).click();
    await dialog.getByRole('checkbox', { name: 'one' }).check();
    await dialog.getByText('two', { exact: true }).click({ modifiers: ['Shift'] });
    await dialog.getByText('3 secrets chosen').waitFor();
    expect(await page.evaluate('getSelection().toString()')).to.equal('');
    await dialog.getByText('one', { exact: true }).click({ modifiers: ['Shift'] });
    await dialog.getByText('0 secrets chosen').waitFor();
    await dialog.getByRole('button', { name: 'Add all of linked/' }).click();
    await dialog.getByText('3 secrets added.').waitFor();
    const all = 'secret/linked/one\nsecret/linked/three\nsecret/linked/two';
    expect(await chosen.inputValue()).to.equal(all);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.goto(`${scene.url}secrets/secret/linked/`);
    await page.getByLabel('Select secret/linked/one').click();
    await page.getByLabel('Select secret/linked/two').click({ modifiers: ['Shift'] });
    await page.getByText('3 selected').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a preview comes to where it can be seen, above the bar with its buttons', async () => {
    const { page, context, faults } = await scene.signIn();
    const summary = page.getByRole('region', { name: 'Preview' }).locator('p').first();
    const show = async (): Promise<void> => {
      await page.getByLabel('Secrets (one per line)').fill('team/a/db\nteam/b/db\nsolo');
      // By the keyboard, because a click would scroll to the button first.
      await page.getByRole('button', { name: 'Preview changes' }).focus();
      await page.evaluate('(document.querySelector("dialog") ?? window).scrollTo(0, 0)');
      await page.keyboard.press('Enter');
      await summary.waitFor();
      const { x = 0, y = 0 } = (await summary.boundingBox()) ?? {};
      const seen = await page.evaluate(`document.elementFromPoint(${x + 5}, ${y + 5})?.textContent`);
      expect(seen).to.equal(await summary.textContent());
    };
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'seen');
    await continueToOptions(page);
    await continueToSecrets(page);
    await show();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Destinations' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    await show();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a typed secret is taken with its mount, as pages name it, or without', async () => {
    await scene.sealift.client.post('/v1/sys/mounts/stores', { type: 'kv-v2' });
    await scene.sealift.client.post('/v1/stores/data/web', { data: { user: 'app' } });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Mount').selectOption('secret');
    await dialog.getByLabel('Secrets (one per line)').fill('  secret/team_x/db  \nteam_x/db\r\n\tstores/web');
    await page.keyboard.press('Tab');
    await dialog.getByText('2 secrets chosen').waitFor();
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await answerDialog(page, 'Link and write 2 entries');
    await eventually(() => nameInStore('team_x/db') && nameInStore('web'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('names without the accessor of a mount are one click away', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'short');
    await continueToOptions(page);
    await page.getByRole('button', { name: 'Use {{ .SecretPath }} instead' }).click();
    await page.getByRole('cell', { name: 'solo', exact: true }).waitFor();
    expect(await page.getByLabel('Secret name template').inputValue()).to.equal('{{ .SecretPath }}');
    expect(await page.getByRole('button', { name: /^Use / }).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('chosen secrets are not lost without a question, and fit on a phone', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    await page.getByRole('dialog').getByRole('checkbox', { name: 'solo' }).check();
    const isTooWide = await page.evaluate(
      '(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector("dialog"))',
    );
    expect(isTooWide).to.equal(false);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard what you typed?' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret whose name another one gets is said to be refused before anybody links it', async () => {
    const path = '/v1/sys/sync/destinations/cloud1-sm/flat';
    const template = 'flat-{{ .SecretBaseName }}';
    await scene.sealift.client.post(path, { ...cloud1Settings(), secret_name_template: template });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/flat`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    await page.getByLabel('Secrets (one per line)').fill('team/a/db\nteam/b/db');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('1 to create, 1 with a name in use').waitFor();
    await page.getByText('is in use by another link can’t be linked').waitFor();
    // What cannot be linked stands first, however the secrets are sorted.
    const planned = page.getByRole('dialog').getByRole('row').filter({ hasText: 'secret/team/' });
    expect(await planned.first().innerText()).to.match(/Name in use/);
    await page.getByRole('button', { name: 'Link and write 1 entry' }).click();
    await page.getByText('1 of 2 linked.').waitFor();
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('1 of 2 linked.').waitFor({ state: 'detached' });
    await page.getByText('1 unchanged, 1 with a name in use').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('links are ticked all at once, or with Shift a range of them', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?q=linked`);
    const ticks = page.getByLabel(/^Select secret\/linked\//);
    await page.getByLabel(/^Select all \d+ links shown$/).check();
    const bar = page.getByRole('region', { name: 'Selected links' });
    await bar.getByText('3 selected').waitFor();
    await page.getByLabel(/^Select all \d+ links shown$/).uncheck();
    await bar.waitFor({ state: 'detached' });
    await ticks.nth(0).click();
    await ticks.nth(2).click({ modifiers: ['Shift'] });
    await bar.getByText('3 selected').waitFor();
    expect(await ticks.nth(1).isChecked()).to.equal(true);
    // At another destination, the same secrets are others.
    const second = await scene.sealift.client.post(
      '/v1/sys/sync/destinations/cloud1-sm/second',
      cloud1Settings(),
    );
    expect(second.status).to.equal(200);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill('second');
    await page.getByRole('option', { name: /^second/ }).click();
    await page.getByRole('heading', { name: /^second/ }).waitFor();
    expect(await bar.count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the actions for ticked rows are in sight, however long the list is', async () => {
    const { page, context, faults } = await scene.signIn();
    for (let n = 0; n < 20; n += 1) await scene.driver.write(`long/item-${n + 10}`, { user: 'app' });
    await page.setViewportSize({ width: 1440, height: 500 });
    for (const [path, last, label] of [
      ['secrets/secret/long/', 'Select secret/long/item-29', 'Selected secrets'],
      ['destinations/cloud1-sm/prod?q=team', 'Select secret/team_x/db', 'Selected links'],
    ] as const) {
      await page.goto(`${scene.url}${path}`);
      await page.getByLabel(last).check();
      const bar = page.getByRole('region', { name: label });
      await bar.getByText('1 selected').waitFor();
      const { y = 0, height = 0 } = (await bar.boundingBox()) ?? {};
      expect(y + height, path).to.be.within(height, 500);
      expect(await findBarriers(page)).to.deep.equal([]);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('ticked links are retried, verified and unlinked together, after one question', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?q=linked`);
    for (const name of ['one', 'two']) await page.getByLabel(`Select secret/linked/${name}`).check();
    const bar = page.getByRole('region', { name: 'Selected links' });
    await bar.getByText('2 selected').waitFor();
    await bar.getByRole('button', { name: 'Verify selected' }).click();
    await bar.getByText('2 entries match.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await bar.getByRole('button', { name: 'Retry selected (2)…' }).click();
    await answerDialog(page, /^Retry/);
    await page.getByText(/none of them is failing any more/).waitFor();
    for (const name of ['one', 'two']) await page.getByLabel(`Select secret/linked/${name}`).check();
    await bar.getByRole('button', { name: 'Unlink selected (2)…' }).click();
    await answerDialog(page, 'Unlink 2 and delete 2 entries', 'prod');
    await eventually(() => !nameInStore('linked/one') && !nameInStore('linked/two'));
    expect(nameInStore('linked/three')).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('secrets are first looked for in the mount that most links of the destination are from', async () => {
    const { client } = scene.sealift;
    for (const mount of ['empty', 'web'])
      await client.post(`/v1/sys/mounts/${mount}`, { type: 'kv', options: { version: '2' } });
    const path = '/v1/sys/sync/destinations/cloud1-sm/of-web';
    await client.post(path, cloud1Settings());
    const { page, context, faults } = await scene.signIn();
    const open = async (): Promise<string> => {
      await page.goto(`${scene.url}destinations/cloud1-sm/of-web`);
      await page.getByRole('button', { name: 'Link secrets' }).click();
      const field = page.getByRole('dialog').getByLabel('Mount');
      await field.waitFor();
      await page.waitForLoadState('networkidle');
      return field.inputValue();
    };
    expect(await open()).to.equal('secret');
    for (const name of ['one', 'two']) await client.post(`/v1/web/data/${name}`, { data: { user: 'app' } });
    const secrets = [
      { mount: 'secret', secret_name: 'solo' },
      ...['one', 'two'].map((name) => ({ mount: 'web', secret_name: name })),
    ];
    await client.post(`${path}/associations/set-many`, { secrets });
    expect(await open()).to.equal('web');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
