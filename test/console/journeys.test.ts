import { expect } from 'chai';
import { continueToOptions, continueToSecrets, fillCloud1 } from './support/wizard.ts';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const TWO = { key: 'AKIAEXAMPLETWO', secret: 'a-second-key' };

describe('journeys through the console', function () {
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
    scene.fake.giveOut(TWO.key, TWO.secret);
    for (const path of paths) await scene.driver.write(path, { user: 'app', password: 'newer' });
    await scene.waitForCounts({ CLIENT_SIDE_ERROR: 3 });

    const { page, context, faults } = await scene.enter();
    await page.getByText('0 of 3 links are in sync: 3 need attention.').waitFor();
    await page.getByRole('link', { name: 'Set credentials' }).first().click();
    await page.locator('input[placeholder="AKIAEXAMPLEONE"]:focus').waitFor();
    await page.keyboard.type('AKIAEXAMPLETWO');
    await page.getByLabel('Secret access key', { exact: true }).fill('a-second-key');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Credentials accepted').waitFor();
    await answerDialog(page, 'Save and change 3 entries');
    await page.getByText(/Saved. Credentials accepted .* All 3 secrets are in sync\./).waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByText('Everything is in sync (3 links).').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('connecting a store tries it, shows names and plan, and stores nothing before Create', async () => {
    const { page, context, faults } = await scene.enter();
    const path = '/v1/sys/sync/destinations/cloud1-sm/second';
    const stored = async (): Promise<number> => (await scene.sealift.client.get(path)).status;
    scene.fake.plant({ name: 'new/team/two', value: 'theirs', region: 'eu-central-1' });
    await page.getByRole('link', { name: 'Connect a destination' }).click();
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'second', TWO);
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText(/Credentials accepted \(\d+ ms\)\. Nothing is saved yet\./).waitFor();
    expect(await stored()).to.equal(404);
    await continueToOptions(page);
    await page.getByLabel('Secret name template').fill('new/{{ .SecretPath }}');
    await page.getByText('new/team/one').waitFor();
    await page.goBack();
    expect(await page.getByLabel('Region', { exact: true }).inputValue()).to.equal('eu-central-1');
    await continueToOptions(page);
    await continueToSecrets(page);
    await page.getByRole('heading', { name: 'second' }).waitFor();
    expect(await page.content()).to.not.include('a-second-key');

    await page.getByLabel('Secrets (one per line)').fill('team/one\nteam/two');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('1 to create, 1 conflict').waitFor();
    await page.getByText(/is not managed by Sealift; it is left alone, and the link fails/).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(await stored()).to.equal(404);
    expect(scene.fake.entries().filter(({ region }) => region === 'eu-central-1')).to.have.length(1);
    await page.getByRole('button', { name: 'Create and link' }).click();
    await page.getByRole('link', { name: /team\/one/ }).waitFor();
    expect(await stored()).to.equal(200);
    await eventually(() => scene.fake.entries().some(({ name }) => name === 'new/team/one'));
    expect(scene.fake.entries().find(({ name }) => name === 'new/team/two')?.value).to.equal('theirs');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a template with a fault is not left behind: Continue leads to its field', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'faulty', { ...TWO, region: 'eu-west-3' });
    await continueToOptions(page);
    const template = page.getByLabel('Secret name template');
    await template.fill('{{ .Nothing }}');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Not possible yet. Check Secret name template.').waitFor();
    expect(await template.evaluate('document.activeElement.value')).to.equal('{{ .Nothing }}');
    expect(await findBarriers(page)).to.deep.equal([]);
    await template.fill('{{ .SecretPath }}');
    await continueToSecrets(page);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('secrets that are named before the mounts are known are linked from the first mount', async () => {
    await scene.driver.write('early/one', { user: 'app' });
    const { page, context, faults } = await scene.signIn();
    let answer = (): void => undefined;
    const released = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/v1/sys/internal/ui/mounts', (route) => released.then(() => route.continue()));
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'early', { ...TWO, region: 'eu-north-1' });
    await continueToOptions(page);
    await continueToSecrets(page);
    await page.getByLabel('Secrets (one per line)').fill('early/one');
    answer();
    await page.locator('option', { hasText: 'secret' }).waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('1 to create').waitFor();
    await page.getByRole('button', { name: 'Create and link' }).click();
    await page.getByRole('link', { name: /early\/one/ }).click();
    await page.getByRole('cell', { name: 'Linked by root' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('several secrets are linked at once after their plan, and what cannot be linked is told', async () => {
    await scene.driver.write('team/more', { user: 'app' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod`);
    await page.getByRole('button', { name: 'Link secrets' }).click();
    await page.getByLabel('Secrets (one per line)').fill('team/more\nteam/nowhere');
    await page.getByRole('button', { name: 'Preview changes' }).click();
    await page.getByText('1 to create, 1 can’t be linked').waitFor();
    expect(scene.fake.entries().some(({ name }) => name === 'team/more')).to.equal(false);
    await page.getByRole('button', { name: 'Link and write 1 entry' }).click();
    await page.getByText('1 of 2 linked.').waitFor();
    await page
      .getByText(/there is no secret team\/nowhere/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await eventually(() => scene.fake.entries().some(({ name }) => name === 'team/more'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('many links are removed together only after the name of the destination was typed', async () => {
    for (const name of ['bulk/one', 'bulk/two']) {
      await scene.link(name);
      await scene.driver.settles(name, 'SYNCED');
    }
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod?q=bulk`);
    await page.getByRole('button', { name: /^Unlink [\d,]+…$/ }).click();
    // The question stays while the page reads its rows anew, because other links change.
    const rows = page.waitForResponse((answer) => answer.url().includes('/associations/rows'));
    await scene.link('team/later');
    await rows;
    const unlink = page.getByRole('button', { name: 'Unlink 2 and delete 2 entries' });
    expect(await unlink.isDisabled()).to.equal(true);
    await page.getByLabel(/Type .* to confirm/).fill('prod');
    await unlink.click();
    await eventually(async () => (await scene.driver.records('bulk/one')).length === 0);
    await eventually(async () => (await scene.driver.records('bulk/two')).length === 0);
    expect((await scene.driver.records('team/one')).length).to.equal(1);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a fault of the form stands at its field, and what was typed stays', async () => {
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    await fillCloud1(page, 'third', { ...TWO, region: 'Not A Region' });
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Not tested. Check Region.').waitFor();
    const region = page.getByLabel('Region', { exact: true });
    expect(await region.getAttribute('aria-invalid')).to.equal('true');
    expect(await region.inputValue()).to.equal('Not A Region');
    await context.close();
  });

  it('a change in the store is known once somebody looks, and nothing calls it in sync any more', async () => {
    await scene.link('team/drifted');
    await scene.driver.settles('team/drifted', 'SYNCED');
    const entry = scene.fake.entries().find(({ name }) => name === 'team/drifted');
    scene.fake.plant({ ...entry, name: 'team/drifted', value: 'a-foreign-value' });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/team/drifted`);
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('Someone changed this entry in the store').waitFor();
    await page.getByText('Drifted').first().waitFor();
    expect(await page.content()).to.not.include('a-foreign-value');
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Sync now' }).click();
    await answerDialog(page, 'Write 1 entry', 'prod');
    await scene.driver.settles('team/drifted', 'SYNCED');
    await page.getByText('In sync').first().waitFor();
    await page
      .getByRole('row', { name: /Overwriting asked for by .*Overwrote the entry \(version 1\).*In sync/s })
      .waitFor();
    await page.getByRole('row', { name: /Found that someone changed the entry.*Drifted/s }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret is unlinked only after the name of the destination was typed', async () => {
    await scene.link('team/unlinked');
    await scene.driver.settles('team/unlinked', 'SYNCED');
    const { page, context } = await scene.signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/team/unlinked`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    const unlink = page.getByRole('button', { name: 'Unlink and delete 1 entry' });
    await unlink.waitFor();
    expect(await unlink.isDisabled()).to.equal(true);
    await page.getByLabel(/Type .* to confirm/).fill('prod');
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
    const { page, context } = await scene.enter();
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
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await context.close();
  });
});
