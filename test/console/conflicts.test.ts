import { expect } from 'chai';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { openPagesScene } from './support/pages.ts';
import type { ConsoleScene } from './support/scene.ts';

const LINK = 'destinations/cloud1-sm/prod/secret/secret';

// A word that breaks where its column is narrow has more than one line.
const BROKEN = `[...document.querySelectorAll('dialog td')]
  .filter(({ textContent }) => textContent === '! Overwrite')
  .map((cell) => {
    const word = document.createRange();
    word.setStart(cell.firstChild, 2);
    word.setEnd(cell.firstChild, cell.firstChild.length);
    return word.getClientRects().length;
  })`;

describe('a conflict in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openPagesScene();
  });

  after(() => scene.close());

  it('the page of a conflict says since when, and whose entry it is', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}problems`);
    await page.getByRole('link', { name: 'Resolve this conflict' }).click();
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByText(/^Failing for \d+ (?:s|min) \d.*[A-Z]{3,4}/).waitFor();
    await status.getByText('Entry is not ours').waitFor();
    await status.getByText(/^Settings of prod last changed by root \d/).waitFor();
    await status.getByText(/Adopt or overwrite it/).waitFor();
    await page.getByRole('cell', { name: /Needs attention.*Entry is not ours/s }).waitFor();
    expect(await page.getByText(/Adopt or overwrite it/).count()).to.equal(1);
    await status.getByRole('button', { name: 'Inspect conflict' }).click();
    await status.getByRole('cell', { name: '✕ Conflict' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(scene.fake.entries().find(({ name }) => name === 'app/taken')?.value).to.equal('of somebody else');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the finding of an inspection is in sight on a phone', async () => {
    const { page, context, faults } = await scene.signIn({ size: NARROW, hasTouch: true, isMobile: true });
    await page.goto(`${scene.url}${LINK}/app/taken`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByRole('button', { name: 'Inspect conflict' }).tap();
    const found = status.getByText('✕ Conflict');
    await eventually(async () => {
      const { y = 0 } = (await found.boundingBox()) ?? {};
      return y > 0 && y < NARROW.height - 100;
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('one conflict is decided for its entry alone, after its plan and a question', async () => {
    scene.fake.plant({ name: 'app/decided', value: 'of somebody else', tags: { owner: 'team-x' } });
    await scene.link('app/decided');
    await scene.driver.settles('app/decided', 'CLIENT_SIDE_ERROR');
    const valueOf = (name: string) => scene.fake.entries().find((entry) => entry.name === name)?.value;
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/decided`);
    const status = page.getByRole('region', { name: 'Status' });
    await status.getByRole('button', { name: 'Inspect conflict' }).click();
    await status.getByText('its value differs from ours.').waitFor();
    await status.getByText(/Created \d+ \w+ \d{4}, .*\. Details in the store: owner=team-x\./s).waitFor();
    expect(await page.content()).to.not.include('of somebody else');
    await status.getByRole('button', { name: 'Overwrite this entry…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 to overwrite').waitFor();
    await dialog.getByRole('cell', { name: /! Overwrite$/ }).waitFor();
    expect(await page.evaluate(BROKEN), 'lines of the word “Overwrite”').to.deep.equal([1]);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(valueOf('app/decided')).to.equal('of somebody else');
    const known = scene.fake.entries().find(({ name }) => name === 'app/decided');
    scene.fake.plant({ ...known, name: 'app/decided', value: 'changed while the question is open' });
    await answerDialog(page, 'Overwrite 1 entry', 'prod');
    for (const name of ['Status', 'History'])
      await page
        .getByRole('region', { name })
        .getByText(/^Someone changed this entry after it was decided about/)
        .waitFor();
    await page.getByText('Tried to overwrite the entry').waitFor();
    expect(valueOf('app/decided')).to.equal('changed while the question is open');
    await page.getByRole('button', { name: 'Overwrite this entry…' }).click();
    await dialog.getByText('1 to overwrite').waitFor();
    await answerDialog(page, 'Overwrite 1 entry', 'prod');
    await page.getByText('In sync').first().waitFor();
    expect(valueOf('app/decided')).to.include('a-hidden-value');
    expect(valueOf('app/taken')).to.equal('of somebody else');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a link that has written nothing is unlinked after its plan, without a name to type', async () => {
    scene.fake.plant({ name: 'app/kept', value: 'of somebody else' });
    await scene.link('app/kept');
    await scene.driver.settles('app/kept', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/kept`);
    await page.getByRole('button', { name: 'Unlink…' }).click();
    await page.getByRole('dialog').getByText('No changes in prod.').waitFor();
    await answerDialog(page, 'Unlink');
    await page.waitForURL(/destinations\/cloud1-sm\/prod$/);
    const said = page.getByText(/^Asked to unlink secret\/app\/kept from prod.*\./);
    await said.waitFor();
    expect(await page.getByText('in the store.').count()).to.equal(0);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await said.waitFor({ state: 'detached' });
    expect(scene.fake.entries().find(({ name }) => name === 'app/kept')?.value).to.equal('of somebody else');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a conflict ends with another name for its link alone, which can be given up again', async () => {
    const valueOf = (name: string) => scene.fake.entries().find((entry) => entry.name === name)?.value;
    scene.fake.plant({ name: 'app/foreign', value: 'of somebody else' });
    await scene.link('app/foreign');
    await scene.driver.settles('app/foreign', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn({ size: NARROW });
    await page.goto(`${scene.url}${LINK}/app/foreign`);
    const rename = page.getByRole('button', { name: 'Give the link another name…' });
    const dialog = page.getByRole('dialog');
    await rename.click();
    expect(await dialog.getByLabel('Name in the store').inputValue()).to.equal('app/foreign');
    await dialog.getByLabel('Name in the store').fill('app/ours');
    await dialog.getByRole('button', { name: 'Preview changes' }).click();
    await dialog.getByText('1 to create').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(valueOf('app/ours')).to.equal(undefined);
    await answerDialog(page, 'Rename and change 1 entry');
    await page.getByText('This secret has its own name template: app/ours').waitFor();
    await eventually(() => valueOf('app/ours')?.includes('a-hidden-value') === true);
    expect(valueOf('app/foreign')).to.equal('of somebody else');
    await scene.driver.settles('app/foreign', 'SYNCED');
    await rename.click();
    await dialog.getByRole('button', { name: 'Use the destination’s names again' }).click();
    await dialog.getByText('1 conflict, 1 to keep').waitFor();
    await answerDialog(page, /^Rename/);
    await scene.driver.settles('app/foreign', 'CLIENT_SIDE_ERROR');
    expect(valueOf('app/foreign')).to.equal('of somebody else');
    expect(valueOf('app/ours')).to.include('a-hidden-value');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a name for a link that is in use stands at its field, to be corrected', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${LINK}/app/foreign`);
    await page.getByRole('button', { name: 'Give the link another name…' }).click();
    const field = page.getByRole('dialog').getByLabel('Name in the store');
    const preview = page.getByRole('button', { name: 'Preview changes' });
    const sayings: [string, string][] = [
      ['app/taken', 'This name is taken. Choose another one.'],
      ['app/{{ .Nothing }}', 'Unknown'],
    ];
    for (const [name, fault] of sayings) {
      await field.fill(name);
      await preview.click();
      await page.getByRole('dialog').getByText(fault).waitFor();
      expect(await field.getAttribute('aria-invalid')).to.equal('true');
      expect(await field.evaluate((element) => element.matches(':focus'))).to.equal(true);
      expect(await field.inputValue()).to.equal(name);
    }
    await field.fill('app/free');
    await preview.click();
    const planned = page.getByRole('dialog').filter({ hasText: 'An entry that Sealift wrote' });
    await planned.getByRole('button', { name: 'Cancel' }).click();
    await planned.waitFor({ state: 'detached' });
    expect(await field.inputValue()).to.equal('app/free');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a link that failed for another cause before fails since then, on every page', async () => {
    scene.fake.addFault({ kind: 'error', status: 500 });
    await scene.link('app/failing');
    await scene.driver.settles('app/failing', 'EXTERNAL_SERVICE_ERROR');
    scene.fake.clearFaults();
    scene.fake.plant({ name: 'app/failing', value: 'of somebody else' });
    for (const path of ['app/taken', 'app/foreign']) await scene.driver.dissociate(path);
    await scene.driver.associate('app/failing');
    await scene.driver.settles('app/failing', 'CLIENT_SIDE_ERROR');
    const { page, context, faults } = await scene.signIn();
    const shownAt = async (path: string, place: string | RegExp): Promise<string | null> => {
      await page.goto(`${scene.url}${path}`);
      const time = page.locator('p, span').filter({ hasText: place }).locator('time').first();
      await time.waitFor();
      return time.getAttribute('datetime');
    };
    const first = await shownAt(`${LINK}/app/failing`, /^Failing for/);
    expect(
      await shownAt('destinations/cloud1-sm/prod', /^1 link failing for .*, with this cause for/),
    ).to.equal(first);
    expect(await shownAt('problems', /^The link fails since .*, before for another cause/)).to.equal(first);
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
