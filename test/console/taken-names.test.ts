import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { cloud1Settings } from '../support/sandboxed.ts';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';
import { continueToOptions, continueToSecrets, fillCloud1 } from './support/wizard.ts';

const DESTINATIONS = '/v1/sys/sync/destinations/cloud1-sm';
const SAID = 'The name is taken: the destination cloud1-sm/';

describe('a new destination with the name of another one', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  const openForm = async (page: Page, type = 'AWS Secrets Manager'): Promise<void> => {
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: `Choose ${type}` }).click();
  };
  const nameOf = (page: Page) => page.getByLabel('Destination name');
  const isMarked = async (page: Page): Promise<boolean> =>
    (await nameOf(page).getAttribute('aria-invalid')) === 'true';
  const create = async (name: string): Promise<void> => {
    const { status, text } = await scene.sealift.client.post(`${DESTINATIONS}/${name}`, cloud1Settings());
    expect(status, text).to.equal(200);
  };
  const expectNamed = async (page: Page, name: string): Promise<void> => {
    await page.getByText(`${SAID}${name} already exists.`).waitFor();
    expect(await isMarked(page)).to.equal(true);
    expect(await nameOf(page).inputValue()).to.equal(name);
    expect(await nameOf(page).getAttribute('id')).to.equal(await page.evaluate('document.activeElement.id'));
    expect(await page.locator('main').innerText()).to.not.match(/manages|cannot change/);
  };

  it('a taken name is said to be taken while it is typed, if the type is the same', async () => {
    const { page, context, faults } = await scene.signIn();
    await openForm(page);
    const said = page.getByText('The name is taken by another destination of this type.');
    await nameOf(page).fill('prod');
    await said.waitFor();
    expect(await isMarked(page)).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    await nameOf(page).fill('prod-2');
    await said.waitFor({ state: 'detached' });
    await nameOf(page).fill('prod');
    await said.waitFor();
    await openForm(page, 'Vercel project environment variables');
    const listed = page.waitForResponse((response) => response.url().includes('destinations?list'));
    await nameOf(page).fill('prod');
    await listed;
    // The answer is not enough: the page also waits for a pause in typing.
    await page.evaluate('new Promise((done) => setTimeout(done, 600))');
    expect(await said.count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a taken name is refused as such, whatever the links of the other would forbid', async () => {
    const { page, context, faults } = await scene.signIn();
    await openForm(page);
    await fillCloud1(page, 'prod', { region: 'us-east-1' });
    for (const [button, said] of [
      ['Continue', 'Not tested. Check Destination name.'],
      ['Test connection', 'Not tested. Check Destination name.'],
    ] as const) {
      await page.getByLabel('Region', { exact: true }).fill('us-east-2');
      await page.getByRole('button', { name: button }).click();
      await page.getByText(said).waitFor();
      await expectNamed(page, 'prod');
    }
    await nameOf(page).fill('prod-2');
    await continueToOptions(page);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a taken name is refused on Continue also where the user may neither list nor test', async () => {
    const { client } = scene.sealift;
    const policy = `path "sys/schemas" { capabilities = ["read"] }
      path "sys/sync/destinations/cloud1-sm/+" { capabilities = ["create"] }
      path "sys/sync/destinations/cloud1-sm/+/preview" { capabilities = ["update"] }`;
    await client.post('/v1/sys/policies/acl/namer', { policy });
    const made = await client.post('/v1/auth/token/create', { policies: ['namer'] });
    const { page, context, faults } = await scene.signIn({ token: made.body.auth.client_token });
    await openForm(page);
    await fillCloud1(page, 'unused');
    await page.getByTitle('Which permission is missing?').waitFor();
    await continueToOptions(page);
    await page.getByRole('button', { name: 'Back' }).click();
    await nameOf(page).fill('prod');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expectNamed(page, 'prod');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a name that others take meanwhile leads back to its field, and what was typed stays', async () => {
    const { page, context, faults } = await scene.signIn();
    await openForm(page);
    await fillCloud1(page, 'raced');
    await continueToOptions(page);
    await page.getByLabel('Secret name template').fill('mine/{{ .SecretPath }}');
    await create('raced');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expectNamed(page, 'raced');
    await nameOf(page).fill('raced-2');
    await continueToOptions(page);
    await page.getByRole('cell', { name: 'mine/app/db' }).waitFor();
    await continueToSecrets(page);
    await page.getByLabel('Secrets (one per line)').fill('app/db');
    await create('raced-2');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await expectNamed(page, 'raced-2');
    await nameOf(page).fill('raced-3');
    await continueToOptions(page);
    await continueToSecrets(page);
    await page.getByLabel('Secrets (one per line)').fill('');
    await create('raced-3');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await expectNamed(page, 'raced-3');
    expect(await page.getByLabel('Access key ID', { exact: true }).inputValue()).to.equal('AKIAEXAMPLEONE');
    await nameOf(page).fill('raced-4');
    await continueToOptions(page);
    await continueToSecrets(page);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.waitForURL(/cloud1-sm\/raced-4/);
    const { options } = (await scene.sealift.client.get(`${DESTINATIONS}/raced-4`)).body.data;
    expect(options.secret_name_template).to.equal('mine/{{ .SecretPath }}');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a destination that is made is not made again after its links failed', async () => {
    const { page, context } = await scene.signIn();
    await openForm(page);
    await fillCloud1(page, 'halfway');
    await continueToOptions(page);
    await continueToSecrets(page);
    await page.getByLabel('Secrets (one per line)').fill('app/db');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    const createAndLink = page.getByRole('button', { name: 'Create and link' });
    await eventually(() => createAndLink.isEnabled());
    await page.route('**/set-many', (route) => route.abort());
    await createAndLink.click();
    await page.getByText(/The service did not answer/).waitFor();
    expect(await createAndLink.count()).to.equal(0);
    await page.getByRole('button', { name: 'Open destination' }).click();
    await page.waitForURL(/cloud1-sm\/halfway/);
    await context.close();
  });
});
