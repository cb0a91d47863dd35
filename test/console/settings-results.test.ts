import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { createSyncDriver } from '../support/sync-driver.ts';
import { vercelSettings } from '../support/vercel-worker.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openVercelConsole, type VercelConsole } from './support/vercel-scene.ts';

describe('the result of a change of settings beside its question', function () {
  let scene: VercelConsole['scene'];
  let fake: VercelConsole['fake'];
  let close: VercelConsole['close'];

  before(async function () {
    this.timeout(600_000);
    ({ scene, fake, close } = await openVercelConsole(
      {
        ...vercelSettings('production'),
        secret_name_template: '{{ .SecretKey | uppercase }}',
        granularity: 'secret-key',
      },
      { 'site/one': { left: '1', right: '2' }, 'site/two': { other: '3' } },
    ));
  });

  after(() => close?.());

  it('the question says of how many secrets the entries are that will fail, as the result does', async () => {
    for (const name of ['LEFT', 'RIGHT']) fake.plant({ name, value: 'theirs', target: ['preview'] });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByRole('checkbox', { name: 'Preview' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('1 entry will change in site, and 2 entries will fail (1 secret):', { exact: true })
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await answerDialog(page, 'Save and change 1 entry');
    await page.getByText(/^Saved\. .* 1 of 2 secrets fails: Another entry is in the way\.$/).waitFor();
    await page.getByLabel('Deletion policy').selectOption({ label: 'Retain' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog
      .getByText('No changes in site, and 2 entries fail already (1 secret):', { exact: true })
      .waitFor();
    await answerDialog(page, 'Save, no entry changes');
    await page.getByText(/^Saved\. 1 of 2 secrets fails: Another entry is in the way\.$/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a template that makes names equal warns in words, and its result counts as its question', async () => {
    const names = createSyncDriver(scene.sealift, 'hosting-project', 'names');
    const settings = {
      ...vercelSettings('production'),
      secret_name_template: '{{ .SecretBaseName | uppercase }}_{{ .SecretKey | uppercase }}',
      granularity: 'secret-key',
    };
    expect((await names.configure(settings)).status).to.equal(200);
    for (const name of ['names/a', 'names/b']) {
      await names.write(name, { password: name });
      await names.associate(name);
      await names.settles(name, 'SYNCED');
    }
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/names/settings`);
    await page.getByLabel('Secret name template').fill('{{ .SecretKey | uppercase }}');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByText('1 entry will change in names, and 1 entry will fail:', { exact: true })
      .waitFor();
    await answerDialog(page, 'Save and change 1 entry', 'names');
    await page.getByText(/^Saved\. 1 of 2 secrets fails: Name used by another link\.$/).waitFor();
    const warning =
      '“Secret name template” gives several keys the same name in the store: PASSWORD (secret/names/a password and ' +
      'secret/names/b password). One keeps the name; the others fail until the template tells them apart, for example with ' +
      '{{ .SecretPath }}, or until they have a template of their own.';
    await page.getByText(warning, { exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the question counts what changes in more links than one page of a plan has', async () => {
    const many = createSyncDriver(scene.sealift, 'hosting-project', 'many');
    const settings = { ...vercelSettings('production'), secret_name_template: 'M_{{ .SecretBaseName }}' };
    expect((await many.configure(settings)).status).to.equal(200);
    const paths = Array.from({ length: 102 }, (_, index) => `many/s${String(index).padStart(3, '0')}`);
    for (const path of paths) await many.write(path, { user: 'app' });
    const secrets = paths.map((secret_name) => ({ mount: 'secret', secret_name }));
    const linked = await scene.sealift.client.post(`${many.path}/associations/set-many`, { secrets });
    expect(linked.status).to.equal(200);
    const rows = () => fake.entries().filter(({ name }) => name.startsWith('M_'));
    await eventually(() => rows().length === paths.length);
    await many.settles(paths[101] ?? '', 'SYNCED');
    fake.drop(String(rows().find(({ name }) => name === 'M_s101')?.['id']));
    fake.plant({ name: 'M_s101', value: 'theirs', target: ['production'] });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/many/settings`);
    await page.getByRole('checkbox', { name: 'Preview' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('101 entries will change in many, and 1 entry will fail:', { exact: true })
      .waitFor();
    await dialog.getByText('secret/many/s101').waitFor();
    await answerDialog(page, 'Save and change 101 entries');
    await eventually(() => rows().filter(({ target }) => String(target).includes('preview')).length === 101);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the question says that a drift check writes again what someone changed', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByLabel('Drift check').check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/^From now on, entries that someone changed or deleted in site are written again/)
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.keyboard.press('Escape');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
