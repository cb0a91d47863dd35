import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('the life of secrets and mounts in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  const inStore = (path: string) => {
    const entry = scene.fake.entries().find(({ name }) => name === path);
    return entry && JSON.parse(entry.value ?? 'null');
  };
  const open = (page: Page, path: string) => page.goto(`${scene.url}secrets/secret/${path}`);
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();
  const metadata = async (path: string) =>
    (await scene.sealift.client.get(`/v1/secret/metadata/${path}`)).body.data;

  it('deleting and undeleting a version says first what stands at each destination then', async () => {
    await scene.link('life/two', { v: 1 });
    await scene.driver.write('life/two', { v: 2 });
    await eventually(() => inStore('life/two')?.v === 2);
    const { page, context, faults } = await scene.signIn();
    await open(page, 'life/two');
    await press(page, 'Delete version 2');
    await page.getByRole('dialog').getByText('prod (AWS Secrets Manager): v1 will be written').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect((await metadata('life/two')).versions['2'].deletion_time).to.equal('');
    await answerDialog(page, 'Delete v2');
    await page.getByRole('heading', { name: 'Version 2 was deleted' }).waitFor();
    await page.getByText(/Deleted .* by root/).waitFor();
    await page.getByText('Without v2, its destinations get:').waitFor();
    await page.getByText('prod (AWS Secrets Manager): v1', { exact: true }).waitFor();
    await eventually(() => inStore('life/two')?.v === 1);
    await scene.driver.settles('life/two', 'SYNCED');
    await page.goto(`${scene.url}secrets/secret/life/`);
    await page.getByRole('row', { name: /two .*In sync without v2.*v2 · deleted/s }).waitFor();
    await scene.sealift.client.post('/v1/sys/sync/destinations/cloud1-sm/second', {
      ...cloud1Settings(),
      secret_name_template: 'second/{{ .SecretPath }}',
    });
    await open(page, 'life/two');
    await press(page, 'Sync this secret to…');
    await press(page, 'second (AWS Secrets Manager)');
    await page.getByText('Writes v1, because newer versions are deleted or have expired.').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await scene.sealift.client.delete('/v1/sys/sync/destinations/cloud1-sm/second');
    await press(page, 'Undelete version 2');
    await page.getByRole('dialog').getByText('prod (AWS Secrets Manager): v2 will be written').waitFor();
    await answerDialog(page, 'Undelete v2');
    await eventually(() => inStore('life/two')?.v === 2);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('versions are compared while the newest is deleted, and what opens comes into sight', async () => {
    for (const v of [1, 2, 3]) await scene.driver.write('life/compared', { v });
    await scene.sealift.client.delete('/v1/secret/data/life/compared');
    const { page, context, faults } = await scene.signIn();
    await page.setViewportSize({ width: 390, height: 500 });
    await open(page, 'life/compared');
    await press(page, 'Compare version 1');
    await page.getByText('~ changed').waitFor();
    const compared = page.getByRole('heading', { name: 'v1 ↔ v2' });
    await eventually(() => compared.evaluate((heading) => heading.matches(':focus')));
    expect(await page.getByRole('button', { name: 'Compare version 3' }).count()).to.equal(0);
    await press(page, 'Show keys of version 1');
    const keys = page.getByRole('heading', { name: 'Keys of v1 (not current)' });
    await eventually(() => keys.evaluate((heading) => heading.matches(':focus')));
    await eventually(() => keys.evaluate((heading) => heading.getBoundingClientRect().top >= 0));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a new version can be written while the newest one is deleted, and says where it goes', async () => {
    await scene.link('life/gone', { v: 1 });
    await scene.sealift.client.delete('/v1/secret/data/life/gone');
    const { page, context, faults } = await scene.signIn();
    await open(page, 'life/gone');
    await press(page, 'Write a new version…');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The new version will be written to 1 destination').waitFor();
    await dialog.getByLabel('Name of the new key').fill('v');
    await dialog.getByLabel('Value of the new key', { exact: true }).fill('2');
    await answerDialog(page, 'Save as v2');
    await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
    await eventually(() => inStore('life/gone')?.v === '2');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change says which destinations it does not reach, and that what is not ours stays', async () => {
    scene.fake.plant({ name: 'life/foreign', value: 'of somebody else' });
    await scene.link('life/foreign', { v: 'one' });
    await scene.driver.settles('life/foreign', 'CLIENT_SIDE_ERROR');
    await scene.link('life/held', { v: 1 });
    await scene.driver.settles('life/held', 'SYNCED');
    const { page, context, faults } = await scene.signIn();
    const dialog = page.getByRole('dialog');
    const store = 'prod (AWS Secrets Manager)';
    await open(page, 'life/foreign');
    await press(page, 'Edit');
    await dialog
      .getByText(`${store}: the entry there isn’t Sealift’s, so the new version is only written if`)
      .waitFor();
    await dialog.getByRole('button', { name: 'Replace v' }).click();
    await dialog.getByText('Empty: the value will be a text without characters.').waitFor();
    await page.keyboard.press('Escape');
    await press(page, 'Discard');
    await press(page, 'Delete version 1');
    await dialog.getByText(`${store}: no change: the entry there isn’t Sealift’s`).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${scene.url}secrets/secret/life/`);
    for (const name of ['foreign', 'held']) await page.getByLabel(`Select secret/life/${name}`).check();
    await press(page, 'Delete selected (2)…');
    await dialog.getByText('the entries of 1 secret aren’t Sealift’s, and stay').waitFor();
    await page.keyboard.press('Escape');
    await scene.sealift.client.post(`${scene.driver.path}/pause`, {});
    await open(page, 'life/held');
    await press(page, 'Edit');
    await dialog.getByText(`${store}: the new version will be written once the pause ends.`).waitFor();
    await page.keyboard.press('Escape');
    await press(page, 'Delete version 1');
    await dialog.getByText('entries that Sealift wrote there will be deleted once the pause ends').waitFor();
    await page.keyboard.press('Escape');
    await scene.sealift.client.post(`${scene.driver.path}/resume`, {});
    expect(inStore('life/held')?.v).to.equal(1);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a deletion that takes entries out of a store, and what is for good, needs the typed name', async () => {
    await scene.link('life/only', { v: 1 });
    await scene.driver.settles('life/only', 'SYNCED');
    const { page, context, faults } = await scene.signIn();
    await open(page, 'life/only');
    await press(page, 'Delete version 1');
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('prod (AWS Secrets Manager): entries that Sealift wrote there will be deleted')
      .waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete v1' }).isDisabled()).to.equal(true);
    await answerDialog(page, 'Delete v1', 'life/only');
    await eventually(() => inStore('life/only') === undefined);
    await press(page, 'Destroy version 1');
    await dialog.getByText('no change: nothing is there').waitFor();
    expect(await dialog.getByRole('button', { name: 'Destroy v1' }).isDisabled()).to.equal(true);
    await answerDialog(page, 'Destroy v1', 'life/only');
    await page.getByRole('heading', { name: 'Version 1 was destroyed' }).waitFor();
    expect((await metadata('life/only')).versions['1'].destroyed).to.equal(true);
    await press(page, 'Delete this secret…');
    await dialog.getByText('1 version and the metadata will be deleted').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await answerDialog(page, 'Delete for good', 'life/only');
    await page.getByRole('heading', { name: 'secret/life/', exact: true }).waitFor();
    expect((await scene.sealift.client.get('/v1/secret/metadata/life/only')).status).to.equal(404);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an earlier version comes back as a new one, unless somebody wrote meanwhile', async () => {
    await scene.link('life/back', { user: 'a', old: 'x' });
    await scene.driver.write('life/back', { user: 'b', added: 'y' });
    await eventually(() => inStore('life/back')?.user === 'b');
    const { page, context, faults } = await scene.signIn();
    const bodies: string[] = [];
    page.on('response', (response) => {
      if (response.url().includes('/v1/'))
        void response.text().then(
          (text) => bodies.push(text),
          () => 0,
        );
    });
    await scene.sealift.client.post('/v1/secret/metadata/life/back', { max_versions: 2 });
    await open(page, 'life/back');
    await press(page, 'Roll back to version 1');
    await page.getByText('Compared with v2: added: old; removed: added; changed: user.').waitFor();
    await page.getByText('The new version will be written to 1 destination at once').waitFor();
    await page.getByText('v1 will be deleted for good: at most 2 versions are kept.').waitFor();
    await scene.sealift.client.post('/v1/secret/metadata/life/back', { max_versions: 0 });
    expect(await findBarriers(page)).to.deep.equal([]);
    await scene.driver.write('life/back', { user: 'c' });
    await page.getByRole('button', { name: 'Save v1 as v3' }).click();
    await page.getByText('Someone saved a newer version than v2. Nothing was saved.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.reload();
    await press(page, 'Roll back to version 1');
    await answerDialog(page, 'Save v1 as v4');
    await page.getByRole('heading', { name: 'Keys of v4' }).waitFor();
    await eventually(() => inStore('life/back')?.old === 'x');
    expect(bodies.join('')).to.not.include('"x"');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('limits and custom metadata are changed, and what that will delete is said', async () => {
    for (const v of [1, 2, 3]) await scene.driver.write('life/limits', { v });
    await scene.sealift.client.patch('/v1/secret/metadata/life/limits', {
      custom_metadata: { owner: 'team-a', note: ' in blanks  ' },
    });
    const { page, context, faults } = await scene.signIn();
    await open(page, 'life/limits');
    await page.getByText('10 (mount default)').waitFor();
    await press(page, 'Change metadata…');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Maximum versions').fill('2');
    await dialog.getByText('will delete its 2 oldest versions for good').waitFor();
    await dialog.getByLabel('Delete versions after').fill('soon');
    await dialog.getByLabel('Check-and-set required').check();
    await dialog.getByRole('button', { name: 'Remove owner' }).click();
    await dialog.getByRole('button', { name: 'Add metadata' }).click();
    await dialog.getByLabel('Name 2').fill('ticket');
    await dialog.getByLabel('Value 2').fill('  OPS-1 ');
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a duration such as 30d or 12h.').waitFor();
    await dialog.getByLabel('Delete versions after').fill('30d');
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await dialog.getByRole('button', { name: 'Save' }).click();
    expect(JSON.parse((await sent).postData() ?? '')).to.deep.equal({
      max_versions: 2,
      cas_required: true,
      delete_version_after: '30d',
      custom_metadata: { ticket: '  OPS-1 ', owner: null },
    });
    await dialog.waitFor({ state: 'detached' });
    expect(await metadata('life/limits')).to.deep.include({
      max_versions: 2,
      cas_required: true,
      delete_version_after: '720h0m0s',
      custom_metadata: { note: ' in blanks  ', ticket: '  OPS-1 ' },
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a mount is created, changed and deleted, and linked secrets keep it', async () => {
    const { client } = scene.sealift;
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets`);
    await press(page, 'Create a mount');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Path').fill('team/kv');
    await dialog.getByLabel('Description').fill('Secrets of the team');
    await dialog.getByLabel('Maximum versions').fill('3');
    expect(await findBarriers(page)).to.deep.equal([]);
    await press(page, 'Create mount');
    await page.getByRole('heading', { name: 'team/kv/', exact: true }).waitFor();
    expect((await client.get('/v1/team/kv/config')).body.data.max_versions).to.equal(3);
    await press(page, 'Mount settings');
    await dialog.getByLabel('Description').fill('Everything of the team');
    await dialog.getByLabel('Maximum versions').fill('2');
    await dialog.getByText('No version will be deleted because of this number.').waitFor();
    await dialog.getByLabel('Maximum versions').fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await client.get('/v1/team/kv/config')).body.data.max_versions).to.equal(0);
    expect((await client.get('/v1/sys/mounts/team/kv')).body.data.description).to.equal(
      'Everything of the team',
    );
    await client.post('/v1/team/kv/data/a', { data: { a: 1 } });
    const link = { mount: 'team/kv', secret_name: 'a' };
    const store = '/v1/sys/sync/destinations/cloud1-sm/prod/associations';
    await client.post(`${store}/set`, link);
    await press(page, 'Delete mount…');
    await dialog.getByText('1 secret with all versions will be deleted').waitFor();
    await dialog.getByText('1 link to destinations is in the way').waitFor();
    await dialog.getByRole('link', { name: 'prod (AWS Secrets Manager)' }).waitFor();
    await dialog.getByLabel(/Type .* to/).fill('team/kv');
    const remove = dialog.getByRole('button', { name: 'Delete mount and secrets' });
    expect(await remove.isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await client.post(`${store}/remove`, link);
    await eventually(async () => {
      const { body } = await client.get('/v1/sys/mount-usage/team/kv');
      return body.data.links === 0;
    });
    await press(page, 'Delete mount…');
    await answerDialog(page, 'Delete mount and secrets', 'team/kv');
    await page.getByRole('heading', { name: 'Secrets', exact: true }).waitFor();
    expect((await client.get('/v1/sys/mounts/team/kv')).status).to.equal(400);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
