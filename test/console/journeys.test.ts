import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('journeys through the console', function () {
  this.timeout(60_000);
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  it('an engineer finds the dead credential, sets a new one, and sees everything turn green', async () => {
    const paths = ['team/one', 'team/two', 'team/three'];
    for (const path of paths) await scene.link(path);
    await scene.waitForCounts({ SYNCED: 3 });
    scene.fake.revoke('AKIAEXAMPLEONE');
    scene.fake.giveOut('AKIAEXAMPLETWO', 'a-second-key');
    for (const path of paths) await scene.driver.write(path, { user: 'app', password: 'newer' });
    await scene.waitForCounts({ CLIENT_SIDE_ERROR: 3 });

    const { page, context, faults } = await scene.signIn();
    await page.getByText('0 of 3 links are in sync. 3 need a person.').waitFor();
    await page.getByRole('link', { name: 'Set credentials' }).first().click();
    await page.getByRole('button', { name: 'Replace Access key ID' }).click();
    await page.getByLabel('Access key ID', { exact: true }).fill('AKIAEXAMPLETWO');
    await page.getByRole('button', { name: 'Replace Secret access key' }).click();
    await page.getByLabel('Secret access key', { exact: true }).fill('a-second-key');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('All 3 links are in sync.').waitFor({ timeout: 20_000 });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('connecting a store stores nothing before the last step, and shows the plan before the first write', async () => {
    const { page, context, faults } = await scene.signIn();
    const path = '/v1/sys/sync/destinations/cloud1-sm/second';
    await page.getByRole('link', { name: 'Connect a store' }).click();
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await page.getByLabel('Name of the destination').fill('second');
    await page.getByLabel('Access key ID', { exact: true }).fill('AKIAEXAMPLETWO');
    await page.getByLabel('Secret access key', { exact: true }).fill('a-second-key');
    await page.getByLabel('Region', { exact: true }).fill('eu-central-1');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('heading', { name: 'cloud1-sm/second' }).waitFor();
    expect(await page.content()).to.not.include('a-second-key');
    expect((await scene.sealift.client.get(path)).status).to.equal(404);
    await page.getByRole('button', { name: 'Back' }).click();
    expect(await page.getByLabel('Region', { exact: true }).inputValue()).to.equal('eu-central-1');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('No secret is linked yet').waitFor();
    expect((await scene.sealift.client.get(path)).body.data.connection_details.region).to.equal(
      'eu-central-1',
    );
    await page.getByRole('button', { name: 'Check' }).click();
    await page.getByText('The store accepts the credentials.').waitFor();

    await page.getByRole('button', { name: 'Link a secret' }).click();
    await page.getByLabel('Secret', { exact: true }).fill('team/one');
    await page.getByRole('button', { name: 'Show the plan' }).click();
    await page.getByText('+ create').waitFor();
    expect(scene.fake.entries().filter(({ region }) => region === 'eu-central-1')).to.deep.equal([]);
    await page.getByRole('button', { name: 'Link and sync' }).click();
    await page.getByRole('link', { name: /team\/one/ }).waitFor();
    await eventually(() => scene.fake.entries().some(({ region }) => region === 'eu-central-1'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a fault of the form stands at its field, and what was typed stays', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await page.getByLabel('Name of the destination').fill('third');
    await page.getByLabel('Region', { exact: true }).fill('Not A Region');
    await page.getByRole('button', { name: 'Review' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    const region = page.getByLabel('Region', { exact: true });
    await region.waitFor();
    expect(await region.getAttribute('aria-invalid')).to.equal('true');
    expect(await region.inputValue()).to.equal('Not A Region');
    await context.close();
  });

  it('a value is revealed on demand only, leaves an entry, and is hidden with the page', async () => {
    await scene.driver.write('team/shown', { user: 'app', password: 'a-revealed-value' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/team/shown`);
    await page.getByRole('button', { name: 'Reveal password' }).waitFor();
    expect(await page.content()).to.not.include('a-revealed-value');
    await page.getByRole('button', { name: 'Reveal password' }).click();
    await page.getByText('a-revealed-value').waitFor();
    const events = await scene.sealift.client.get('/api/v2/admin/audit-events?filter[path]=sys/reveal');
    expect(events.body.data[0].attributes.detail).to.deep.equal({ keys: 'password', version: '1' });
    await page.getByRole('button', { name: 'Hide password' }).click();
    expect(await page.content()).to.not.include('a-revealed-value');
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
    await page.getByRole('button', { name: 'Write v2' }).click();
    await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
    expect(sent.map((body) => JSON.parse(body))).to.deep.equal([
      { data: { user: 'somebody' }, options: { cas: 1 } },
    ]);

    await page.getByRole('button', { name: 'Edit' }).click();
    await scene.driver.write('team/edited', { user: 'a third person' });
    await page.getByRole('button', { name: 'Delete password' }).click();
    await page.getByRole('button', { name: 'Write v3' }).click();
    await page.getByText('Somebody wrote a newer version').waitFor();
    await context.close();
  });

  it('a secret is unlinked only after its name was typed', async () => {
    await scene.link('team/unlinked');
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/team/unlinked`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    const unlink = page.getByRole('button', { name: 'Unlink and delete in the store' });
    expect(await unlink.isDisabled()).to.equal(true);
    await page.getByLabel(/Type .* to go on/).fill('team/unlinked');
    await unlink.click();
    await eventually(async () => (await scene.driver.records('team/unlinked')).length === 0);
    await context.close();
  });

  it('names and values that look like HTML are text', async () => {
    const evil = '<img src=x onerror=alert(1)>';
    await scene.driver.write('team/html', { [evil]: evil });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}secrets/secret/team/html`);
    await page.getByRole('button', { name: `Reveal ${evil}` }).click();
    await eventually(async () => (await page.getByText(evil).count()) === 2);
    expect(await page.locator('img[src="x"]').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the keyboard alone leads to a failing link', async () => {
    const { page, context } = await scene.signIn();
    await page.keyboard.press('g');
    await page.keyboard.press('d');
    await page.getByRole('heading', { name: 'Destinations' }).waitFor();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('link', { name: /team\/one/ }).focus();
    await page.keyboard.press('ArrowDown');
    await eventually(async () =>
      String(await page.evaluate('document.activeElement?.textContent')).includes('team/three'),
    );
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'secret/team/three' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keys' }).waitFor();
    await context.close();
  });
});
