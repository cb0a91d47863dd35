import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';
import { fillCloud1 } from './support/wizard.ts';

const STORE = 'destinations/cloud1-sm/prod';

describe('stores and services of which the console knows little', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.link('app/db');
    await scene.waitForCounts({ SYNCED: 1 });
  });

  after(() => scene.close());

  it('a store that fails a test has not rejected the credentials', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    scene.fake.addFault({ kind: 'error', status: 500 });
    await page.getByRole('button', { name: 'Test connection', exact: true }).click();
    await page.getByText('Whether the store accepts the destination is unknown.').waitFor();
    scene.fake.clearFaults();
    expect(await page.getByText('rejected').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a test at a store that asked to wait says when to try again', async () => {
    scene.fake.addFault({ kind: 'throttle', status: 429, retryAfterSeconds: 600 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Test connection', exact: true }).click();
    await page
      .getByText(/refused the call: its rate limit was reached\..* Try again in 10 minutes\./)
      .waitFor();
    scene.fake.clearFaults();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the answer to a test of typed credentials comes into sight on a phone', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'second');
    scene.fake.addFault({ kind: 'error', status: 500 });
    await page.getByRole('button', { name: 'Test connection' }).click();
    const answer = page.getByText('Whether the store accepts the destination is unknown.');
    await answer.waitFor();
    scene.fake.clearFaults();
    const bar = page.getByRole('button', { name: 'Continue', exact: true });
    await eventually(async () => {
      const [text, below] = [await answer.boundingBox(), await bar.boundingBox()];
      return text && below && text.y >= 0 && text.y + text.height <= below.y;
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a preview that waits for a slow store says so', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/db`);
    scene.fake.addFault({ kind: 'held' });
    await page.getByRole('button', { name: 'Unlink…', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Still waiting for an answer from prod.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    scene.fake.clearFaults();
    await dialog.getByText('Still waiting for an answer from prod.').waitFor({ state: 'detached' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a save whose preview gets no answer offers to try again, and nothing to confirm', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/settings`);
    await page.getByLabel('Secret name template').fill('away/{{ .SecretPath }}');
    await page.route('**/prod/plan', (route) => route.abort());
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The service cannot be reached.').waitFor();
    expect(await dialog.getByRole('button', { name: /^Save/ }).isDisabled()).to.equal(true);
    expect(await dialog.getByLabel(/Type .* to confirm/).count()).to.equal(0);
    await page.unroute('**/prod/plan');
    await dialog.getByRole('button', { name: 'Retry' }).click();
    await dialog.getByText('1 to rename').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a question says each reason for which entries could not be checked, with their number', async () => {
    for (const name of ['app/two', 'app/three']) await scene.link(name);
    await scene.waitForCounts({ SYNCED: 3 });
    for (const target of ['app/db', 'app/two']) scene.fake.addFault({ kind: 'error', status: 503, target });
    scene.fake.addFault({ kind: 'denied', target: 'app/three' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    await page.getByLabel('Select all 3 links shown').check();
    await page.getByRole('button', { name: 'Retry selected' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/^Couldn’t check 2 entries: /).waitFor();
    await dialog.getByText(/^Couldn’t check 1 entry: /).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    scene.fake.clearFaults();
    for (const name of ['app/two', 'app/three']) await scene.driver.dissociate(name);
    await eventually(async () => (await scene.driver.records()).length === 1);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a store that asked to wait stands in Problems, and so does when it goes on', async () => {
    await scene.sealift.context
      .db('destinations')
      .where({ name: 'prod' })
      .update({ throttled_until: new Date(Date.now() + 3_600_000) });
    await scene.driver.write('app/db', { user: 'changed' });
    await scene.waitForCounts({ THROTTLED: 1 });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems`);
    await page.getByText(/is rate limited: 1 link will be tried again in 59 min/).waitFor();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByText(/prod .*is rate limited: 1 link will be tried again in 59 min/).waitFor();
    expect(await page.getByText('No problems').count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a page of alerts says that no worker sends them', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}alerts`);
    await page.getByText('No key-maintenance worker is running, so no alerts are sent.').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
