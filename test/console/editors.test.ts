import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { WIDE } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('two people at the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
  });

  after(() => scene.close());

  const save = async (page: Page): Promise<void> =>
    page.getByRole('button', { name: 'Save', exact: true }).click();
  const saveSettings = async (page: Page): Promise<void> => {
    await save(page);
    await answerDialog(page, /^Save/);
  };
  const stored = async (): Promise<Record<string, unknown>> =>
    (await scene.sealift.client.get('/v1/sys/sync/destinations/cloud1-sm/prod')).body.data.options;

  it('the second who edits a destination is told, sees theirs beside his, and loses nothing', async () => {
    const [one, two] = await Promise.all([scene.signIn(), scene.signIn()]);
    const address = `${scene.url}destinations/cloud1-sm/prod/settings`;
    await Promise.all([one.page.goto(address), two.page.goto(address)]);
    await two.page.getByLabel('Custom tags').fill('team=second');
    await one.page.getByLabel('Deletion policy').selectOption('retain');
    await saveSettings(one.page);
    await one.page.getByText('Saved.').waitFor();
    await one.page.getByText(/Changed by .* ago/).waitFor();

    await saveSettings(two.page);
    const alert = two.page.getByRole('alert');
    await alert.getByText(/changed this .* ago/).waitFor();
    // It is far above the button that was pressed.
    await eventually(async () => {
      const { y = -1, height = 0 } = (await alert.boundingBox()) ?? {};
      return y >= 0 && y + height <= WIDE.height;
    });
    const rows = await alert.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.split(/\s+/))).to.deep.equal([
      ['Field', 'Theirs', 'Yours'],
      ['Custom', 'tags', '–', 'team=second'],
      ['Deletion', 'policy', 'Retain', 'Same', 'as', 'theirs'],
    ]);
    expect(await findBarriers(two.page)).to.deep.equal([]);
    expect(await stored()).to.deep.include({ deletion_policy: 'retain', custom_tags: {} });
    expect(await two.page.getByLabel('Custom tags').inputValue()).to.equal('team=second');
    expect(await two.page.getByRole('button', { name: 'Save' }).isDisabled()).to.equal(true);

    await two.page.getByRole('button', { name: 'Reapply my changes' }).click();
    expect(await two.page.getByLabel('Deletion policy').inputValue()).to.equal('retain');
    await saveSettings(two.page);
    await two.page.getByText('Saved.').waitFor();
    expect(await stored()).to.deep.include({ deletion_policy: 'retain', custom_tags: { team: 'second' } });
    expect([...one.faults, ...two.faults]).to.deep.equal([]);
    await Promise.all([one.context.close(), two.context.close()]);
  });

  it('the second who edits a secret sees by key who changed what, and keeps what he typed', async () => {
    const { client } = scene.sealift;
    await scene.driver.write('team/shared', { user: 'app', password: 'one', old: 'x' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/team/shared`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Replace password' }).click();
    await dialog.getByLabel('New value of password').fill('mine');
    await dialog.getByLabel('Name of the new key').fill('port');
    await dialog.getByLabel('Value of the new key').fill('5432');
    const made = await client.post('/v1/auth/token/create', { display_name: 'ada', policies: ['root'] });
    const theirs = { data: { user: 'theirs', password: 'theirs', port: '1' } };
    await client.post('/v1/secret/data/team/shared', theirs, { token: made.body.auth.client_token });
    await dialog.getByRole('button', { name: 'Save as v2' }).click();
    const alert = dialog.getByRole('alert');
    await alert.getByText(/^ada saved v2 while you were editing v1\./).waitFor();
    await alert.getByRole('row', { name: /user/ }).waitFor();
    expect(
      (await alert.getByRole('row').allInnerTexts()).map((row) => row.trim().split(/\s*[\t\n]\s*/)),
    ).to.deep.equal([
      ['Key', 'Theirs', 'Yours'],
      ['old', 'deleted', 'not changed'],
      ['password', 'changed', 'changed'],
      ['port', 'added', 'added'],
      ['user', 'changed', 'not changed'],
    ]);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.locator(':focus', { hasText: /^ada saved v2/ }).waitFor();
    expect(await dialog.getByRole('button', { name: 'Save as v2' }).isDisabled()).to.equal(true);
    await alert.getByRole('button', { name: 'Reload and keep what I typed' }).click();
    await page.locator(':focus', { hasText: 'Creates version 3.' }).waitFor();
    expect(await dialog.getByLabel('New value of port').inputValue()).to.equal('5432');
    await dialog.getByRole('button', { name: 'Save as v3' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { data } = (await client.get('/v1/secret/data/team/shared')).body.data;
    expect(data).to.deep.equal({ user: 'theirs', password: 'mine', port: '5432' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a changed option of a destination is planned before it is saved', async () => {
    await scene.driver.patch({ deletion_policy: 'delete' });
    await scene.link('team/planned');
    await scene.driver.settles('team/planned', 'SYNCED');
    const { page, faults, context } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByLabel('Secret name template').fill('moved/{{ .SecretPath }}');
    await save(page);
    await page.getByRole('cell', { name: 'moved/team/planned instead of team/planned' }).waitFor();
    const rows = await page.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.trim().split(/[\t\n]+/)[0])).to.have.members(['Change', '→ Rename']);
    expect((await stored())['secret_name_template']).to.equal('{{ .SecretPath }}');
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a warning of the service stands beside “Saved”, with the labels of the form', async () => {
    for (const path of ['one/same', 'two/same']) {
      await scene.link(path);
      await scene.driver.settles(path, 'SYNCED');
    }
    const { page, faults, context } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    const template = page.getByLabel('Secret name template');
    await template.fill('{{ .SecretBaseName }}');
    await save(page);
    await answerDialog(page, /^Save and change/, 'prod');
    await page.getByText(/^Saved\./).waitFor();
    const warning = page.getByText(
      /^“Secret name template” gives several secrets the same name in the store: same \(secret\/one\/same and secret\/two\/same\)\. One keeps the name; /,
    );
    await warning.waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await template.fill('{{ .SecretPath }}');
    await warning.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
    await scene.driver.patch({ secret_name_template: '{{ .SecretPath }}' });
  });

  it('a settings page says who changed it, and refuses to save over a change that nobody saw', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}settings/smtp`);
    await page.getByLabel('Sender').fill('second@example.com');
    const smtp = '/api/v2/admin/smtp-settings';
    await scene.sealift.client.patch(smtp, { data: { attributes: { sender: 'first@example.com' } } });
    await save(page);
    await page.getByRole('alert').getByText('first@example.com').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await eventually(async () => (await page.getByLabel('Sender').inputValue()) === 'first@example.com');
    await page.getByText(/Changed by .* ago/).waitFor();
    await context.close();
  });

  it('the second who changes a version of a policy engine is told, and overwrites nothing unseen', async () => {
    const versions = '/api/v2/admin/opa-versions';
    const attributes = { version: '1.2.0', url: 'https://example.com/opa', sha: 'ab'.repeat(32) };
    const { client } = scene.sealift;
    const made = await client.post(versions, { data: { type: 'opa-versions', attributes } });
    const read = async () => (await client.get(`${versions}/${made.body.data.id}`)).body.data.attributes;
    const [one, two] = await Promise.all([scene.signIn(), scene.signIn()]);
    await Promise.all([one.page.goto(`${scene.url}versions`), two.page.goto(`${scene.url}versions`)]);
    await two.page.getByRole('button', { name: 'Deprecate 1.2.0' }).click();
    await two.page.getByLabel('Deprecated reason').fill('It has a hole.');
    await one.page.getByRole('button', { name: 'Disable 1.2.0' }).click();
    await one.page.getByText('Disabled', { exact: true }).waitFor();

    await two.page.getByRole('button', { name: 'Deprecate', exact: true }).click();
    const dialog = two.page.getByRole('dialog', { name: '1.2.0 was changed by someone else' });
    await dialog.getByText(/changed this .* ago/).waitFor();
    const rows = await dialog.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.trim().split(/[\t\n]+/))).to.deep.equal([
      ['Field', 'Theirs', 'Yours'],
      ['Enabled', 'Off', 'Same as theirs'],
      ['Deprecated', 'Off', 'On'],
      ['Deprecated reason', '–', 'It has a hole.'],
    ]);
    expect(await findBarriers(two.page)).to.deep.equal([]);
    expect(await read()).to.deep.include({ enabled: false, deprecated: false });

    await two.page.getByRole('button', { name: 'Reapply my changes' }).click();
    await dialog.waitFor({ state: 'detached' });
    await two.page.getByText('It has a hole.').waitFor();
    expect(await read()).to.deep.include({ enabled: false, deprecated: true });

    await one.page.getByRole('button', { name: 'Delete 1.2.0' }).click();
    await one.page.getByLabel(/Type .* to confirm/).fill('1.2.0');
    await client.patch(`${versions}/${made.body.data.id}`, {
      data: { type: 'opa-versions', attributes: { beta: true } },
    });
    await one.page.getByRole('button', { name: 'Delete', exact: true }).click();
    await one.page.getByText(/was changed by .* read it again/).waitFor();
    expect(await read()).to.deep.include({ beta: true });
    expect([...one.faults, ...two.faults]).to.deep.equal([]);
    await Promise.all([one.context.close(), two.context.close()]);
  });
});
