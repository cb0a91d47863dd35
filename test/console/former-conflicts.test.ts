import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { cloud1Settings } from '../support/sandboxed.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const LAST_LOOK =
  /^When Sealift last looked, \d+ s ago.*isn’t managed by Sealift\. It may be gone or changed/;

describe('a conflict whose next attempt the store fails', function () {
  let scene: ConsoleScene;
  let page: Page;
  let head: Locator;
  let faults: string[];
  let keys: string;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene({ RETRY_MIN: '2000' });
    ({ page, faults } = await scene.signIn());
    head = page.getByRole('region', { name: 'Status' });
    keys = scene.driver.path.replace(/prod$/, 'keys');
    await scene.sealift.client.post(keys, {
      ...cloud1Settings(),
      granularity: 'secret-key',
      secret_name_template: '{{ .SecretPath }}/{{ .SecretKey }}',
    });
  });

  after(async () => {
    expect(faults).to.deep.equal([]);
    await scene.close();
  });

  const fails = () => scene.fake.addFault({ kind: 'error', status: 503 });
  const open = (path: string) => page.goto(`${scene.url}destinations/cloud1-sm/prod/secret/secret/${path}`);

  async function linkKeys(path: string): Promise<void> {
    await scene.sealift.client.post(`${keys}/associations/set`, { mount: 'secret', secret_name: path });
    await page.goto(`${scene.url}destinations/cloud1-sm/keys/secret/secret/${path}`);
  }

  async function tellsOnlyOfOutage(path: string): Promise<void> {
    await open(path);
    await head.getByText('Store failed').waitFor();
    await page.getByRole('region', { name: 'History' }).getByText('Store failed').first().waitFor();
    expect(await head.getByText(LAST_LOOK).count()).to.equal(0);
    expect(await head.getByRole('button', { name: 'Inspect conflict' }).count()).to.equal(0);
    scene.fake.clearFaults();
  }

  async function conflict(path: string): Promise<void> {
    scene.fake.plant({ name: path, value: 'of somebody else' });
    await scene.link(path);
    await scene.driver.settles(path, 'CLIENT_SIDE_ERROR');
  }

  it('the page keeps what can be decided, and says that the conflict was seen earlier', async () => {
    await conflict('app/kept');
    await open('app/kept');
    await head.getByText('Entry is not ours').waitFor();
    fails();
    await scene.driver.write('app/kept', { v: 2 });
    await head.getByText(LAST_LOOK).waitFor();
    expect(await head.innerText()).to.not.include('Entry is not ours');
    for (const name of ['Inspect conflict', 'Adopt this entry…', 'Overwrite this entry…'])
      expect(await head.getByRole('button', { name }).isEnabled(), name).to.equal(true);
    expect(await page.getByRole('button', { name: 'Give the link another name…' }).count()).to.equal(1);
    expect(await findBarriers(page)).to.deep.equal([]);
    await head.getByRole('button', { name: 'Overwrite this entry…' }).click();
    await answerDialog(page, /^Overwrite/, 'prod');
    await head.getByText(/Overwriting this entry was asked for by root/).waitFor();
    expect(await head.getByRole('button', { name: 'Inspect conflict' }).count()).to.equal(0);
    scene.fake.clearFaults();
    await eventually(() => scene.fake.entries()[0]?.value === '{"v":2}');
  });

  it('questions about one key of a link say that a change of another key stays', async () => {
    const valueOf = (key: string) => scene.fake.entries().find(({ name }) => name === `keyed/${key}`)?.value;
    scene.fake.plant({ name: 'keyed/taken', value: 'of somebody else' });
    await scene.driver.write('keyed', { ours: 'one', taken: 'one' });
    await linkKeys('keyed');
    await head.getByText('Entry is not ours').waitFor();
    fails();
    const countsOne = async (dialog: Locator): Promise<void> => {
      await dialog.getByText('1 entry may change in keys:').waitFor();
      await dialog.getByText('1 that could not be checked, 1 not checked').waitFor();
      await dialog.getByText(/^If someone changed it, that change stays/).waitFor();
      expect(await dialog.getByText(/that change is lost/).count()).to.equal(0);
    };
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByRole('button', { name: 'Give the link another name…' }).click();
    const renaming = other.getByRole('dialog');
    await renaming.getByLabel('Name in the store').fill('keyed/{{ .SecretKey }}');
    await renaming.getByRole('button', { name: 'Preview changes' }).click();
    await countsOne(renaming);
    await other.close();
    await head.getByRole('button', { name: 'Adopt this entry…' }).click();
    await page.getByRole('dialog').getByText('This is about the key taken alone.').waitFor();
    const known = scene.fake.entries().find(({ name }) => name === 'keyed/ours');
    scene.fake.plant({ ...known, name: 'keyed/ours', value: 'of a colleague' });
    await answerDialog(page, /^Adopt/, 'keys');
    await head.getByText(/Adopting the entry of key taken was asked for by root/).waitFor();
    scene.fake.clearFaults();
    await eventually(() => valueOf('taken') === 'one');
    expect(valueOf('ours')).to.equal('of a colleague');
  });

  it('the page speaks of all entries that are in the way of the keys of a secret', async () => {
    for (const key of ['one', 'two']) scene.fake.plant({ name: `several/${key}`, value: 'of somebody else' });
    await scene.driver.write('several', { one: '1', two: '2' });
    await linkKeys('several');
    await head.getByText('Entry is not ours').waitFor();
    await head.getByRole('button', { name: 'Overwrite these entries…' }).waitFor();
    await head.getByText(/^Inspecting reads the entries .* To keep the other entries as they are/).waitFor();
    fails();
    await scene.driver.write('several', { one: '3', two: '4' });
    await head.getByText(/the keys one, two that aren’t managed by Sealift\. They may be gone/).waitFor();
    await head.getByRole('button', { name: 'Adopt these entries…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Adopt the entries of several' }).waitFor();
    await dialog.getByText(/^Sealift manages the entries from then on\./).waitFor();
    await page.keyboard.press('Escape');
    scene.fake.clearFaults();
  });

  it('the page says that the store is tried again at the time it tells at the earliest', async () => {
    await conflict('app/later');
    await open('app/later');
    const next = head.getByText(/^retries in \d+ (?:s|min) /);
    await next.waitFor();
    expect(await next.innerText()).to.not.include('soon after');
    fails();
    await scene.driver.write('app/later', { v: 2 });
    await head.getByText(/^retries in \d+ s .*:\d\d UTC at the earliest$/).waitFor();
    scene.fake.clearFaults();
  });

  it('an outage of a link whose conflict was decided says nothing of it any more', async () => {
    await conflict('app/adopted');
    const path = `${scene.driver.path}/associations/set`;
    const secret = { mount: 'secret', secret_name: 'app/adopted' };
    await scene.sealift.client.post(path, { ...secret, conflict_policy: 'adopt' });
    await scene.driver.settles('app/adopted', 'SYNCED');
    fails();
    await scene.driver.write('app/adopted', { v: 2 });
    await tellsOnlyOfOutage('app/adopted');
  });

  it('other settings may mean another entry, so the page says no more of the one before', async () => {
    await conflict('app/moved');
    fails();
    const { status, text } = await scene.driver.patch({ custom_tags: { team: 'web' } });
    expect(status, text).to.equal(200);
    await scene.driver.settles('app/moved', 'EXTERNAL_SERVICE_ERROR');
    await tellsOnlyOfOutage('app/moved');
  });

  it('a question about a conflict stays open, with what was typed, while that is tried again', async () => {
    await conflict('app/asked');
    await open('app/asked');
    await head.getByRole('button', { name: 'Give the link another name…' }).click();
    const field = page.getByRole('dialog').getByRole('textbox').first();
    await field.fill('app/typed');
    const tryAgain = () =>
      scene.sealift.context
        .db('associations')
        .where({ secret_path: 'app/asked' })
        .update({ due_at: new Date() });
    scene.fake.addFault({ kind: 'held', target: 'app/asked' });
    await tryAgain();
    await head.getByText('retrying now').waitFor();
    await head.getByText('Entry is not ours').waitFor();
    expect(await field.inputValue()).to.equal('app/typed');
    scene.fake.clearFaults();
    await head.getByText('retrying now').waitFor({ state: 'detached' });
    fails();
    await tryAgain();
    await head.getByText(LAST_LOOK).waitFor();
    expect(await field.inputValue()).to.equal('app/typed');
    scene.fake.clearFaults();
  });
});
