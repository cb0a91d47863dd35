import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { createSyncDriver } from '../support/sync-driver.ts';
import { vercelSettings } from '../support/vercel-worker.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { isSeen } from './support/seen.ts';
import { openVercelConsole, type VercelConsole } from './support/vercel-scene.ts';

const SETTINGS = vercelSettings('production');

describe('the environments of a destination in the console', function () {
  let scene: VercelConsole['scene'];
  let fake: VercelConsole['fake'];
  let driver: VercelConsole['driver'];
  let close: VercelConsole['close'];

  before(async function () {
    this.timeout(600_000);
    ({ scene, fake, driver, close } = await openVercelConsole(SETTINGS, {
      'site/one': { password: 'ours' },
      'site/two': { password: 'ours' },
    }));
  });

  after(() => close?.());

  it('an environment that needs a fixed switch off says so, and cannot be chosen', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    const development = page.getByRole('checkbox', { name: 'Development', exact: true });
    await development.waitFor();
    expect(await development.isDisabled()).to.equal(true);
    await page
      .getByText('Needs “Sensitive variables” off. Can’t be changed while secrets are linked')
      .waitFor();
    const sensitive = page.getByRole('checkbox', { name: 'Sensitive variables' });
    expect([await sensitive.isChecked(), await sensitive.isDisabled()]).to.deep.equal([true, true]);
    expect(await page.getByRole('checkbox', { name: 'Preview' }).isEnabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the question before a change says in its first line how many entries will fail', async () => {
    for (const name of ['ONE', 'TWO']) fake.plant({ name, value: 'theirs', target: ['preview'] });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByRole('checkbox', { name: 'Preview' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No changes in site, and 2 entries will fail:').waitFor();
    await dialog
      .getByText(/^What will fail is listed under Problems\. These entries get no new values/)
      .waitFor();
    const reason = /^Another variable of this name in prj_web already has Preview\./;
    await dialog.getByText(reason).first().waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await answerDialog(page, 'Save, 2 entries will fail');
    await page.getByText(/^Saved\. .*2 of 2 secrets fail: Another entry is in the way\.$/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the question before a change tells what fails already from what begins to fail', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByLabel('Deletion policy').selectOption({ label: 'Retain' });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No changes in site, and 2 entries fail already:').waitFor();
    await dialog
      .getByText(/^What fails is listed under Problems\. These entries get no new values/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Save, no entry changes' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a variable that is in the way at Vercel is never offered for adoption or overwriting', async () => {
    const { page, context, faults } = await scene.signIn();
    for (const place of ['problems', 'destinations/hosting-project/site']) {
      await page.goto(`${scene.url}${place}`);
      await page.getByText(/Another variable of this name .* It cannot be adopted or overwritten/).waitFor();
      await page.getByRole('link', { name: 'Correct the settings' }).waitFor();
    }
    await page.goto(`${scene.url}destinations/hosting-project/site/secret/secret/site/one`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('Another entry is in the way').waitFor();
    await status.getByRole('button', { name: 'Give the link another name…' }).waitFor();
    expect(await status.getByRole('button', { name: /Adopt|Overwrite/ }).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change during a pause says that it waits for the end of the pause', async () => {
    expect((await scene.sealift.client.post(`${driver.path}/pause`, {})).status).to.equal(200);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByRole('checkbox', { name: 'Preview' }).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await answerDialog(page, /^Save/);
    await page
      .getByText(/^Saved\. .*Syncing is paused: what changes is written once it is resumed\.$/)
      .waitFor();
    expect(await page.getByText('Re-syncing').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the end of a pause says what the conflict policy does to entries of somebody else', async () => {
    const { client } = scene.sealift;
    expect((await client.patch(driver.path, { conflict_policy: 'overwrite' })).status).to.equal(200);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site`);
    await page.getByRole('button', { name: 'Resume…' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/its value is replaced, because the conflict policy of this destination is Overwrite/)
      .waitFor();
    const resume = dialog.getByRole('button', { name: 'Resume', exact: true });
    expect(await resume.isDisabled()).to.equal(true);
    await dialog.getByLabel(/Type site/).fill('site');
    expect(await resume.isDisabled()).to.equal(false);
    await page.keyboard.press('Escape');
    expect((await client.patch(driver.path, { conflict_policy: 'refuse' })).status).to.equal(200);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an environment is taken away from variables only for the name of the destination', async () => {
    for (const name of ['ONE', 'TWO'])
      for (const entry of fake.entries())
        if (entry.name === name && entry.value === 'theirs') fake.drop(String(entry['id']));
    expect((await scene.sealift.client.post(`${driver.path}/resume`, {})).status).to.equal(200);
    const both = { deployment_environments: ['production', 'preview'] };
    expect((await scene.sealift.client.patch(driver.path, both)).status).to.equal(200);
    for (const name of ['one', 'two']) await driver.settles(`site/${name}`, 'SYNCED');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByRole('checkbox', { name: 'Production' }).uncheck();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('its value is removed from the environment Production').first().waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await answerDialog(page, /^Save/, 'site');
    await eventually(() => fake.entries().every(({ target }) => String(target) === 'preview'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change of settings that overwrites what someone changed in the store asks for the name', async () => {
    const more = { deployment_environments: ['production', 'preview'] };
    const one = () => fake.entries().find(({ name }) => name === 'ONE');
    // Vercel rounds its times, so a change counts as one only some time after the write.
    await eventually(async () => {
      fake.change(String(one()?.id), { value: 'theirs' });
      const plan = await scene.sealift.client.post(`${driver.path}/plan`, { destination: more, look: true });
      return JSON.stringify(plan.body).includes('"overwrite":1');
    });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByRole('checkbox', { name: 'Production' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(
        /^someone changed this entry in the store, and that change would be lost; its value is added/i,
      )
      .waitFor();
    expect(await dialog.getByText('since Sealift last looked').count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await answerDialog(page, /^Save/, 'site');
    await eventually(() => one()?.value === '{"password":"ours"}');
    await scene.sealift.client.patch(driver.path, { deployment_environments: ['preview'] });
    for (const name of ['one', 'two']) await driver.settles(`site/${name}`, 'SYNCED');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a question on a phone shows the field for the name, and says that saving ends a wait', async () => {
    const until = async (time: Date | null): Promise<void> => {
      await scene.sealift.context
        .db('destinations')
        .where({ name: 'site' })
        .update({ throttled_until: time });
    };
    await until(new Date(Date.now() + 3_600_000));
    fake.addFault({ kind: 'error', status: 500 });
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}destinations/hosting-project/site/settings`);
    await page.getByRole('checkbox', { name: 'Production' }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The store asked Sealift to wait. Saving tries again at once.').waitFor();
    await dialog.getByText(/^Couldn’t check 2 entries: .*\.$/).waitFor();
    await dialog.getByText(/\.\)? Whether the store accepts the destination is unknown\.$/).waitFor();
    const field = dialog.getByLabel('Type site to confirm');
    await field.and(page.locator(':focus')).waitFor();
    await eventually(() => isSeen(field));
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    fake.clearFaults();
    await until(null);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a new version is told to come at once to the keys whose entries nothing hinders', async () => {
    const keys = createSyncDriver(scene.sealift, 'hosting-project', 'keys');
    const settings = {
      ...SETTINGS,
      secret_name_template: '{{ .SecretKey | uppercase }}',
      granularity: 'secret-key',
    };
    expect((await keys.configure(settings)).status).to.equal(200);
    fake.plant({ name: 'LEFT', value: 'theirs', target: ['production', 'preview'] });
    await keys.write('keys/both', { left: '0', right: '0' });
    await keys.write('keys/both', { left: '1', right: '2' });
    await keys.associate('keys/both');
    await eventually(() => fake.entries().some(({ name }) => name === 'RIGHT'));
    await eventually(async () => {
      const codes = (await keys.records('keys/both')).map(({ cause }) => cause?.code);
      return codes.includes('blocked');
    });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/keys/both`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page
      .getByText('written at once, except where “Another entry is in the way” prevents that')
      .first()
      .waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a link offers what helps each of its keys, one in conflict and one that is blocked', async () => {
    const keys = createSyncDriver(scene.sealift, 'hosting-project', 'keys');
    fake.plant({ name: 'FIXED', value: 'theirs', target: ['production', 'preview'] });
    fake.plant({ name: 'OPEN', value: 'theirs', target: ['production'] });
    await keys.write('keys/mixed', { fixed: '1', open: '2' });
    await keys.associate('keys/mixed');
    await keys.settles('keys/mixed', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/keys/secret/secret/keys/mixed`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText('Another entry is in the way').waitFor();
    await status.getByText('Entry is not ours').waitFor();
    await status.getByRole('button', { name: 'Inspect conflict' }).waitFor();
    await status.getByRole('button', { name: 'Adopt this entry…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText(/it has environments|it gets the environments|also has environments/)
      .first()
      .waitFor();
    await answerDialog(page, /^Adopt/, 'keys');
    await eventually(() => fake.entries().some(({ name, value }) => name === 'OPEN' && value === '2'));
    expect(fake.entries().some(({ name, value }) => name === 'FIXED' && value === 'theirs')).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('linking leaves out the other keys of a secret whose name another link has', async () => {
    const keys = createSyncDriver(scene.sealift, 'hosting-project', 'keys');
    await keys.write('keys/again', { right: '1', free: '2' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/hosting-project/keys`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    await page.getByLabel('Secrets (one per line)').fill('keys/again');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('1 left out, 1 with a name in use').waitFor();
    await page.getByText('The name RIGHT is used by the secret keys/both of mount secret/').waitFor();
    await page.getByText('The secret cannot be linked, because of another of its names').waitFor();
    expect(await page.getByRole('button', { name: 'Link and sync' }).isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a deleted version says where another entry keeps the older one out', async () => {
    await scene.sealift.client.delete('/v1/secret/data/keys/both');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/keys/both`);
    await page.getByText('Without v2, its destinations get:').waitFor();
    await page.getByText(/v1, except where “Another entry is in the way” prevents that$/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
