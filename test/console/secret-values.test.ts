import { expect } from 'chai';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('values of secrets in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  it('a value is revealed on demand only, leaves an entry, and is hidden with the page', async () => {
    await scene.driver.write('team/shown', { user: 'app', password: 'a-revealed-value' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/team/shown`);
    await page.getByRole('button', { name: 'Reveal password' }).waitFor();
    expect(await page.content()).to.not.include('a-revealed-value');
    await page.getByRole('button', { name: 'Reveal password' }).click();
    await page.getByText('a-revealed-value').waitFor();
    const events = await scene.sealift.client.get('/api/v2/admin/audit-events?filter[path]=sys/reveal');
    expect(events.body.data[0].attributes.detail).to.deep.equal({ keys: ['password'], version: 1 });
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await page.content()).to.not.include('a-revealed-value');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a version that another client saves is shown by itself, and no old value stays revealed', async () => {
    await scene.driver.write('team/live', { password: 'the-old-value' });
    const { page, context, faults } = await scene.signIn();
    await page.clock.install();
    await page.goto(`${scene.url}secrets/secret/team/live`);
    await page.getByRole('button', { name: 'Reveal password' }).click();
    await page.getByText('the-old-value').waitFor();
    await scene.link('team/live');
    await page.clock.fastForward(11_000);
    await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
    await page.getByText('the-old-value').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Synced to' }).getByText('In sync').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an edit sends the touched keys alone, and is refused over a version that nobody saw', async () => {
    await scene.driver.write('team/edited', { user: 'app', password: 'an-old-value' });
    const { page, context } = await scene.signIn();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData() ?? '');
    });
    await page.goto(`${scene.url}secrets/secret/team/edited`);
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('button', { name: 'Replace user' }).click();
    await page.getByLabel('New value of user').fill('somebody');
    await page.getByRole('button', { name: 'Save as v2' }).click();
    await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
    expect(sent.map((body) => JSON.parse(body))).to.deep.equal([
      { data: { user: 'somebody' }, options: { cas: 1, replace: true } },
    ]);

    await page.getByRole('button', { name: 'Edit' }).click();
    await scene.driver.write('team/edited', { user: 'a third person' });
    await page.getByRole('button', { name: 'Delete password' }).click();
    await page.getByRole('button', { name: 'Save as v3' }).click();
    await page.getByText('root saved v3 while you were editing v2.').waitFor();
    await context.close();
  });

  it('two versions are compared by their keys, and a destination tells who changed it', async () => {
    await scene.driver.write('team/compared', { app: 'kept', password: 'an-old-value' });
    await scene.driver.write('team/compared', { app: 'kept', password: 'a-new-value', port: 5432 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/team/compared`);
    await page.getByRole('button', { name: 'Compare version 1' }).click();
    const section = page.getByRole('region', { name: 'v1 ↔ v2' });
    await section.getByText('~ changed').waitFor();
    const rows = await section.getByRole('row').allInnerTexts();
    expect(rows.map((row) => row.trim().split(/\t+/))).to.deep.equal([
      ['Key', 'Difference'],
      ['password', '~ changed'],
      ['port', '+ added'],
      ['app', '= same'],
    ]);
    expect(await page.content()).to.not.match(/an-old-value|a-new-value/);
    expect(await findBarriers(page)).to.deep.equal([]);

    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('link', { name: 'Activity' }).click();
    await page.getByText('Created the destination').first().waitFor();
    await page
      .getByRole('cell', { name: /root.*127\.0\.0\.1/s })
      .first()
      .waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
