import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('versions that are deleted for good in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first().click();

  const write = async (path: string, count: number): Promise<void> => {
    for (let v = 1; v <= count; v += 1) await scene.sealift.client.post(`/v1/${path}`, { data: { v } });
  };

  it('the larger limit of a secret and its mount decides which versions are announced', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/mounts/larger', { type: 'kv-v2' });
    await client.post('/v1/larger/config', { max_versions: 5 });
    await write('larger/data/db', 4);
    await client.post('/v1/larger/metadata/db', { max_versions: 3 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/larger/db`);
    await page.getByText('5 (mount default)').waitFor();
    const dialog = page.getByRole('dialog');
    await press(page, 'Edit');
    await dialog.getByText('Not linked to any destination.').waitFor();
    expect(await dialog.getByText('deleted for good').count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await press(page, 'Change metadata…');
    await dialog.getByLabel('Maximum versions').fill('2');
    await dialog.getByText('The mount keeps 5 versions of each secret, and the larger').waitFor();
    expect(await dialog.getByText('oldest versions for good.').count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Discard' }).click();
    await client.post('/v1/larger/config', { max_versions: 2 });
    await page.reload();
    await press(page, 'Edit');
    await dialog.getByText('v1 and v2 will be deleted for good: at most 3 versions are kept.').waitFor();
    await write('larger/data/db', 1);
    const { versions } = (await client.get('/v1/larger/metadata/db')).body.data;
    expect(Object.keys(versions)).to.deep.equal(['3', '4', '5']);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('all limits that cannot be meant are told at their fields, without a request', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/mounts/checked', { type: 'kv-v2' });
    await write('checked/data/db', 1);
    const { page, context, faults } = await scene.signIn();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    for (const [path, button] of [
      ['db', 'Change metadata…'],
      ['', 'Mount settings'],
    ] as const) {
      await page.goto(`${scene.url}secrets/checked/${path}`);
      await press(page, button);
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Maximum versions').fill('abc');
      await dialog.getByLabel('Delete versions after').fill('soon');
      await dialog.getByRole('button', { name: 'Save', exact: true }).click();
      await dialog.getByText('Enter a whole number.').waitFor();
      await dialog.getByText('Enter a duration such as 30d or 12h.').waitFor();
      await dialog.getByText('Check Maximum versions, Delete versions after.').waitFor();
    }
    expect(sent.filter((one) => /^(?:PATCH|POST) .*(?:metadata|config|tune)/.test(one))).to.deep.equal([]);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a smaller maximum of a mount says how many versions it costs, and asks for the name', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/mounts/short', { type: 'kv-v2' });
    for (const [path, count] of Object.entries({ four: 4, two: 2, one: 1 }))
      await write(`short/data/${path}`, count);
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/short/`);
    await press(page, 'Mount settings');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Maximum versions').fill('9');
    await dialog.getByText('No version will be deleted because of this number.').waitFor();
    const save = dialog.getByRole('button', { name: 'Save', exact: true });
    expect(await save.isDisabled()).to.equal(false);
    await dialog.getByLabel('Maximum versions').fill('2');
    await dialog.getByText('4 versions of 2 secrets will be deleted for good').waitFor();
    expect(await save.isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByLabel(/Type .* to confirm/).fill('short');
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    expect((await client.get('/v1/short/config')).body.data.max_versions).to.equal(2);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
