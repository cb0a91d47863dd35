import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const STORE = 'destinations/cloud1-sm/prod';
const LINKS = [
  'app/drift-a',
  'app/drift-b',
  'app/drift-c',
  'app/drift-d',
  'app/taken',
  'app/fine',
  'app/named',
  'app/old',
];
// What overwrites something of somebody else stands first.
const ASKED = [
  'app/drift-a: Overwriting, by root (replaces what is in the store; someone had changed it there)',
  'app/drift-b: Overwriting, by root (replaces what is in the store; someone had changed it there)',
  'app/drift-c: Overwriting, by root (replaces what someone changed in the store, unless the new version has that value)',
  'app/drift-d: Overwriting, by root (replaces what someone changed in the store, unless the new version has that value)',
  'app/taken: Overwriting, by root (replaces what is in the store)',
  'app/fine: Syncing, by root',
  'app/named: Another name, by root (the entry with the former name goes)',
  'app/old: Unlinking, by root (deletes what Sealift wrote, unless the deletion policy keeps it)',
];

describe('what resuming will carry out', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    scene.fake.plant({ name: 'app/taken', value: 'of somebody else' });
    for (const link of LINKS) await scene.link(link);
    for (const link of LINKS)
      await scene.driver.settles(link, link === 'app/taken' ? 'CLIENT_SIDE_ERROR' : 'SYNCED');
    for (const name of ['app/drift-a', 'app/drift-b', 'app/drift-c']) await change(name);
    await scene.sealift.client.post(`/v1/sys/sync/${STORE}/pause`, {});
    for (const name of ['app/drift-a', 'app/drift-b', 'app/fine']) await ask('set', name);
    for (const name of ['app/drift-c', 'app/drift-d']) await scene.driver.write(name, { user: 'newer' });
    // Also what is found after the new version was saved.
    await change('app/drift-d');
    await ask('set', 'app/taken', { conflict_policy: 'overwrite' });
    await ask('set', 'app/named', { secret_name_template: 'app/another' });
    await ask('remove', 'app/old');
    await scene.driver.write('app/old', { user: 'newer' });
  });

  after(() => scene.close());

  const ask = async (call: string, secret: string, more: object = {}): Promise<void> => {
    const body = { mount: 'secret', secret_name: secret, ...more };
    const { status, text } = await scene.sealift.client.post(
      `/v1/sys/sync/${STORE}/associations/${call}`,
      body,
    );
    expect(status, text).to.equal(200);
  };

  const change = async (name: string): Promise<void> => {
    const entry = scene.fake.entries().find((one) => one.name === name);
    scene.fake.plant({ ...entry, name, value: 'changed outside' });
    await ask('verify', name);
  };

  const listed = async (page: Page, first: string): Promise<string[]> => {
    await page.getByRole('button', { name: /^Resume( syncing)?…$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(first, { exact: true }).waitFor();
    await dialog.getByRole('listitem').first().waitFor();
    const texts = await dialog.getByRole('listitem').allTextContents();
    expect(await findBarriers(page)).to.deep.equal([]);
    return texts;
  };

  it('the rows of a destination say what was asked for and waits', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}?status=CLIENT_SIDE_ERROR`);
    await page.getByText('Overwriting waits').waitFor();
    await page.goto(`${scene.url}${STORE}`);
    await page.getByText('being unlinked', { exact: true }).waitFor();
    expect(await page.getByText(/^ ?\w+( \w+)* waits$/).count()).to.equal(7);
    const cut = await page.evaluate(`[...document.querySelectorAll('[role="listitem"] > a')].filter((row) =>
      [...row.children].some((part) => part.getBoundingClientRect().bottom > row.getBoundingClientRect().bottom)).length`);
    expect(cut).to.equal(0);
    await page.goto(`${scene.url}secrets/secret/app/old`);
    await page.getByText('being unlinked', { exact: true }).waitFor();
    await page.goto(scene.url);
    await page.getByRole('status').getByText('1 needs attention, 4 drifted, 3 paused').waitFor();
    const chips = page.getByRole('region', { name: 'Status of all links' }).getByRole('listitem');
    expect(await chips.allTextContents()).to.deep.equal(['1 needs attention', '4 drifted', '3 paused']);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a conflict that is decided waits, and asks for nothing more on the pages of problems', async () => {
    const { page, context, faults } = await scene.signIn();
    for (const place of ['problems', STORE]) {
      await page.goto(`${scene.url}${place}`);
      const saying = 'What becomes of the entry of 1 link is decided. It is carried out once the pause ends.';
      await page.getByText(saying, { exact: true }).waitFor();
      expect(await page.getByText(/Adopt or overwrite it/).count(), place).to.equal(0);
      expect(await page.getByRole('link', { name: 'Resolve this conflict' }).count(), place).to.equal(0);
    }
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a change in the store for several links is said of their entries together', async () => {
    const { page, context, faults } = await scene.signIn();
    const together = page.getByText('Someone changed their entries in the store.', { exact: true });
    for (const place of [STORE, 'problems', 'problems/timeline']) {
      await page.goto(`${scene.url}${place}`);
      await together.first().waitFor();
      expect(await page.getByText('Someone changed this entry').count(), place).to.equal(0);
    }
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a link says that a version saved meanwhile overwrites a change in the store', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/drift-c`);
    await page
      .getByText(/^Overwriting what someone changed in the store waits .* root saved a new/)
      .waitFor();
    await page
      .getByText(
        'To keep the change, save the store’s value in the secret: it stays once the newest version has it. If the store shows its values, Verify tells whether it has.',
      )
      .waitFor();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/drift-a`);
    await page.getByText(/ It replaces what is in the store; someone had changed it there\.$/).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page of a link offers nothing that is decided already, and promises no other version', async () => {
    const { page, context, faults } = await scene.signIn();
    const status = page.getByRole('region', { name: 'Status' });
    await page.goto(`${scene.url}${STORE}/secret/secret/app/taken`);
    await status.getByText('What becomes of it is decided.').waitFor();
    await status.getByText(/^To keep the other entry as it is, give the link another name/).waitFor();
    expect(await status.getByText(/Adopt or overwrite it|Inspecting/).count()).to.equal(0);
    expect(await status.getByRole('button', { name: 'Inspect conflict' }).count()).to.equal(0);
    await page.getByRole('button', { name: 'Unlink…' }).waitFor();
    await page.goto(`${scene.url}${STORE}/secret/secret/app/old`);
    await page.getByText('v1 (being unlinked)', { exact: true }).waitFor();
    await status.getByText(/^Unlinking this secret was asked for by root/).waitFor();
    expect(await page.getByRole('button', { name: 'Unlink…' }).count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the editor of a secret says what becomes of its new version once what was decided is done', async () => {
    const SAID: [string, string][] = [
      [
        'app/taken',
        'root asked to overwrite the entry of somebody else, so the new version will be written there once the pause ends.',
      ],
      [
        'app/named',
        'root gave the link another name, so the new version will be written there under its new name once the pause ends.',
      ],
      [
        'app/old',
        'this secret is being unlinked from it (root asked for that), so the new version won’t be written there.',
      ],
      ['app/drift-d', 'the new version will be written once the pause ends.'],
    ];
    const { page, context, faults } = await scene.signIn();
    const dialog = page.getByRole('dialog');
    const changed = dialog.getByText(/^Someone changed the entry in prod/);
    const edit = async (secret: string, text: string): Promise<void> => {
      await page.goto(`${scene.url}secrets/secret/${secret}`);
      await page.getByRole('button', { name: 'Edit', exact: true }).click();
      await dialog.getByText(`prod (AWS Secrets Manager): ${text}`, { exact: true }).waitFor();
    };
    for (const [secret, text] of SAID) {
      await edit(secret, text);
      expect(await changed.count(), secret).to.equal(secret === 'app/drift-d' ? 1 : 0);
    }
    // What fails since hides neither the change, nor what waits.
    const links = scene.sealift.context.db('associations').where({ secret_path: 'app/drift-c' });
    const failure = { class: 'CLIENT_SIDE_ERROR', code: 'permission_missing', message: 'Refused.' };
    await links.clone().update({ failure });
    await edit('app/drift-c', 'the new version will be written once the pause ends.');
    await changed.waitFor();
    await links.update({ failure: null });
    // It was never Sealift’s.
    await page.goto(`${scene.url}secrets/secret/app/taken`);
    await page.getByRole('button', { name: 'Delete version 1', exact: true }).click();
    await dialog.getByText('no change: the entry there isn’t Sealift’s').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('resuming a destination counts each decision, and says who asked for what', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}${STORE}`);
    const texts = await listed(page, 'The changes of 8 links will be written or deleted at once.');
    expect(texts).to.deep.equal(ASKED.map((text) => `secret/${text}`));
    const resume = page.getByRole('dialog').getByRole('button', { name: 'Resume', exact: true });
    expect(await resume.isDisabled()).to.equal(true);
    await page.getByLabel('Type prod to confirm').fill('prod');
    expect(await resume.isEnabled()).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('resuming everything counts the decisions of all destinations, and names the first', async () => {
    const { client } = scene.sealift;
    await client.post('/v1/sys/sync/pause', {});
    await client.post(`/v1/sys/sync/${STORE}/resume`, {});
    for (let index = 10; index < 20; index += 1) await scene.link(`later/${index}`);
    const { page, context, faults } = await scene.signIn();
    await page.goto(scene.url);
    const texts = await listed(page, 'The changes of 18 links will be written or deleted at once.');
    expect(texts.slice(0, 8)).to.deep.equal(
      ASKED.map((text) => `secret/${text.replace(':', ' in prod (AWS Secrets Manager):')}`),
    );
    expect(texts).to.have.length(11);
    expect(texts.at(-1)).to.equal('and 8 more');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('links of destinations that stay paused neither count, nor ask for a typed name', async () => {
    const { client } = scene.sealift;
    const other = '/v1/sys/sync/destinations/cloud1-sm/other';
    await client.post(other, {
      access_key_id: 'AKIAEXAMPLEONE',
      secret_access_key: 'a-secret-key',
      region: 'eu-central-1',
    });
    await client.post(`/v1/sys/sync/${STORE}/pause`, {});
    const link = async (more: object): Promise<void> => {
      const body = { mount: 'secret', secret_name: 'app/fine', ...more };
      expect((await client.post(`${other}/associations/set`, body)).status).to.equal(200);
    };
    await link({});
    const { page, context, faults } = await scene.signIn();
    await page.goto(scene.url);
    const texts = await listed(page, 'The changes of 1 link will be written or deleted at once.');
    const dialog = page.getByRole('dialog');
    await dialog
      .getByText('The changes of 18 links go on waiting, because their destination stays paused.')
      .waitFor();
    expect(texts[0]).to.equal('secret/app/fine in other (AWS Secrets Manager): Linking, by root');
    expect(texts[1]).to.match(/^secret\/app\/\S+ in prod .* – its destination stays paused$/);
    expect(await page.getByLabel(/to confirm/).count()).to.equal(0);
    expect(await dialog.getByRole('button', { name: 'Resume', exact: true }).isEnabled()).to.equal(true);
    // What it does to an entry of somebody else there does ask.
    await link({ conflict_policy: 'overwrite' });
    await page.reload();
    await page.getByRole('button', { name: 'Resume syncing…' }).click();
    await page.getByLabel('Type resume to confirm').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
