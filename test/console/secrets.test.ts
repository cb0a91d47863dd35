import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { NARROW } from './support/browser.ts';
import { answerDialog } from './support/answer.ts';
import { paste } from './support/paste.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const PEM = '-----BEGIN KEY-----\r\nMIIB+/=\r\n\t end \r\n-----END KEY-----\r\n';
const FILE = '\ufeff{ "type": "account" }\r\n';

describe('secrets that are made in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  const signIn = (options = {}) =>
    scene.signIn({ permissions: ['clipboard-read', 'clipboard-write'], ...options });

  const openCreate = async (page: Page, folder: string, path: string) => {
    await page.goto(`${scene.url}secrets/secret/${folder}`);
    await page.getByRole('button', { name: 'Create a secret' }).click();
    const dialog = page.getByRole('dialog', { name: 'Create a secret' });
    expect(await dialog.getByLabel('Path').inputValue()).to.equal(folder);
    await dialog.getByLabel('Path').fill(`${folder}${path}`);
    return dialog;
  };

  const stored = async (path: string) =>
    (await scene.sealift.client.get(`/v1/secret/data/${path}`)).text.replace(/^.*"data":\{"data":/, '');

  it('a secret is created with texts, numbers, JSON and files, each exactly as it was given', async () => {
    const { page, context, faults } = await signIn();
    const dialog = await openCreate(page, 'made/', 'fields');
    const save = dialog.getByRole('button', { name: 'Create secret', exact: true });
    expect(await save.isDisabled()).to.equal(true);
    await dialog.getByText('Enter at least one key.').waitFor();
    const add = async (key: string, format: string, value: string | null, n: number) => {
      const label = n === 1 ? 'the new key' : `new key ${n}`;
      const name = dialog.getByLabel(`Name of ${label}`, { exact: true });
      if (n > 1) {
        await dialog.getByRole('button', { name: 'Add another key' }).click();
        await eventually(() => name.evaluate((field) => field.matches(':focus')));
      }
      await name.fill(key);
      await dialog.getByLabel(`Type of ${label}`, { exact: true }).selectOption(format);
      if (value !== null) await paste(dialog.getByLabel(`Value of ${label}`, { exact: true }), value);
    };
    await add('pem', 'text', PEM, 1);
    await add('big', 'number', 'many', 2);
    await dialog.getByText('This is not a number').waitFor();
    await dialog.getByText('The key big has a fault.').waitFor();
    expect(await save.isDisabled()).to.equal(true);
    await dialog.getByLabel('Value of new key 2', { exact: true }).fill('12345678901234567890');
    await add('', 'text', 'in the wrong row', 3);
    await dialog.getByText('A value has no name.').waitFor();
    await dialog.getByRole('button', { name: 'Remove new key 3' }).click();
    expect(await page.evaluate('document.activeElement.textContent')).to.equal('Add another key');
    await add('list', 'json', '[1.10, null, {"a": "b"}]', 3);
    await add('file', 'text', null, 4);
    await add('binary', 'text', null, 5);
    await add('empty', 'text', null, 6);
    const files = dialog.locator('input[type=file]');
    const load = (n: number, buffer: Buffer) =>
      files.nth(n).setInputFiles({ name: `file-${n}`, mimeType: 'application/octet-stream', buffer });
    await load(3, Buffer.from(FILE));
    await dialog.getByText('Loaded file-3.').waitFor();
    await load(4, Buffer.from([0, 255, 254, 10]));
    await dialog.getByText('file-4 is not a text file, so its content is in Base64.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await save.click();
    await page.getByRole('heading', { name: 'secret/made/fields' }).waitFor();
    expect(await stored('made/fields')).to.include(
      `{"pem":${JSON.stringify(PEM)},"big":12345678901234567890,"list":[1.10,null,{"a":"b"}],` +
        `"file":${JSON.stringify(FILE)},"binary":"AP/+Cg==","empty":""}`,
    );
    expect(await page.content()).to.not.include('MIIB');
    expect(page.url()).to.not.include('MIIB');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret is created from one .env or JSON text, and turning one into another loses nothing', async () => {
    const { page, context, faults } = await signIn();
    const dialog = await openCreate(page, 'made/', 'env');
    const way = (name: string) => dialog.getByRole('radio', { name, exact: true });
    await way('.env').check();
    const env = dialog.getByLabel('The secret as .env');
    await paste(env, 'A=1\nB=two words # or a comment?\n');
    await dialog.getByText('Line 2: put a value with # in quotes').waitFor();
    expect(await dialog.getByRole('button', { name: 'Create secret' }).isDisabled()).to.equal(true);
    await way('JSON').click();
    await dialog.getByText('Fix that first.').waitFor();
    await env.fill('');
    await paste(
      env,
      '# a comment\r\nA=1\r\nexport B=\'two  words # here\'\r\nC="x\\ty\\n\\$Z \\"q\\""\nPEM=\'one\r\ntwo\n\'\n',
    );
    await way('JSON').check();
    const wanted = { A: '1', B: 'two  words # here', C: 'x\ty\n$Z "q"', PEM: 'one\r\ntwo\n' };
    const json = dialog.getByLabel('The secret as JSON');
    expect(JSON.parse(await json.inputValue())).to.deep.equal(wanted);
    await way('Fields').check();
    await dialog.getByLabel('Name of new key 4', { exact: true }).waitFor();
    await way('.env').check();
    await way('JSON').check();
    expect(JSON.parse(await json.inputValue())).to.deep.equal(wanted);
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Create secret', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys of v1' }).waitFor();
    expect(await stored('made/env')).to.include(JSON.stringify(wanted));

    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Reveal all and edit as .env' }).click();
    const whole = page.getByLabel('The secret as .env');
    const text = await whole.inputValue();
    await whole.fill(text.replace('A=1', 'A=2'));
    const sent = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save as v2', exact: true }).click();
    expect((await sent).postData()).to.equal('{"data":{"A":"2"},"options":{"cas":1,"replace":true}}');
    await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the .env text names the keys that it cannot hold, and they keep their value and type', async () => {
    await scene.driver.write('made/mixed', { A: '1', port: 5432, 'a b': 'text', tls: true });
    const { page, context, faults } = await signIn();
    await page.goto(`${scene.url}secrets/secret/made/mixed`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await page.getByRole('button', { name: 'Reveal all and edit as .env' }).click();
    const whole = page.getByLabel('The secret as .env');
    expect(await whole.inputValue()).to.equal('A=1\n');
    await page
      .getByText(/Not in this text, and unchanged: port \(a number\), a b \(a text\), tls \(a boolean\)/)
      .waitFor();
    await whole.fill('A=2\nport=1\n');
    await page.getByText('port is a number and can’t become a text here.').waitFor();
    expect(await page.getByRole('button', { name: 'Save as v2', exact: true }).isDisabled()).to.equal(true);
    await whole.fill('A=2\nB=3\n');
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save as v2', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys of v2' }).waitFor();
    const { data } = (await scene.sealift.client.get('/v1/secret/data/made/mixed')).body.data;
    expect(data).to.deep.equal({ A: '2', B: '3', port: 5432, 'a b': 'text', tls: true });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret that has only metadata gets its first version on its page', async () => {
    await scene.sealift.client.post('/v1/secret/metadata/made/prepared', { max_versions: 3 });
    const { page, context, faults } = await signIn();
    await page.goto(`${scene.url}secrets/secret/made/prepared`);
    await page.getByRole('button', { name: 'Write the first version' }).click();
    const dialog = page.getByRole('dialog', { name: 'Write the first version of made/prepared' });
    await dialog.getByLabel('Name of the new key').fill('user');
    await dialog.getByLabel('Value of the new key').fill('app');
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Save as v1', exact: true }).click();
    await page.getByRole('heading', { name: 'Keys of v1' }).waitFor();
    const { body } = await scene.sealift.client.get('/v1/secret/metadata/made/prepared');
    expect(body.data).to.deep.include({ current_version: 1, max_versions: 3 });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a path that is taken or cannot be is refused with a reason, and the input stays', async () => {
    await scene.driver.write('made/taken', { user: 'theirs' });
    const { page, context } = await signIn();
    await page.goto(`${scene.url}secrets/secret/made/`);
    await page.getByRole('button', { name: 'Create a secret' }).click();
    await page.getByRole('dialog').getByText('A slash makes a folder.').waitFor();
    expect(await page.getByText('A secret needs a name').count()).to.equal(0);
    const dialog = await openCreate(page, 'made/', 'taken');
    await dialog.getByLabel('Name of the new key').fill('user');
    await dialog.getByLabel('Value of the new key').fill('mine');
    const save = dialog.getByRole('button', { name: 'Create secret', exact: true });
    await save.click();
    await dialog.getByText('secret/made/taken already exists: choose another path.').waitFor();
    expect(await dialog.getByLabel('Value of the new key').inputValue()).to.equal('mine');
    expect(await stored('made/taken')).to.include('theirs');
    for (const [path, reason] of [
      ['a/../b', 'No part of a path can be . or ..'],
      ['a//b', 'A path has no empty parts'],
      ['a/', 'A secret needs a name'],
      ['a / b', 'A name has no blank at its start or end.'],
    ] as const) {
      await dialog.getByLabel('Path').fill(path);
      await dialog.getByText(reason).waitFor();
      expect(await save.isDisabled(), path).to.equal(true);
    }
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Discard what you typed?' }).waitFor();
    await context.close();
  });

  it('a list shows the state and last change of each secret, its way, and finds names in folders', async () => {
    await scene.link('list/linked');
    await scene.driver.settles('list/linked', 'SYNCED');
    await scene.driver.write('list/deep/down/alone', { a: 1 });
    await scene.driver.write('list/deleted', { a: 1 });
    await scene.sealift.client.delete('/v1/secret/data/list/deleted');
    const { page, context, faults } = await signIn({ size: NARROW });
    await page.goto(`${scene.url}secrets/secret/list/`);
    const row = (name: string) =>
      page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) });
    await row('linked').getByText('In sync').waitFor();
    await row('linked').getByText('v1').waitFor();
    await row('linked').getByText('by root').waitFor();
    await row('deleted').getByText('v1 · deleted').waitFor();
    await row('deleted').getByText('Not linked').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(NARROW.width);
    await page.getByLabel('Search by name').fill('linke');
    await page.getByText('1 secret', { exact: true }).waitFor();
    await row('linked').getByText('In sync').waitFor();
    await row('linked').getByText('by root').waitFor();
    await page.getByLabel('Search by name').fill('ALON');
    await row('deep/down/alone').getByText('Not linked').waitFor();
    await page.getByRole('link', { name: 'deep/down/alone' }).click();
    await page.getByRole('heading', { name: 'secret/list/deep/down/alone' }).waitFor();
    await page.goBack();
    await row('deep/down/alone').waitFor();
    expect(await page.getByLabel('Search by name').inputValue()).to.equal('ALON');
    await page.getByRole('link', { name: 'deep/down/alone' }).click();
    await page.getByRole('heading', { name: 'secret/list/deep/down/alone' }).waitFor();
    const way = page.getByRole('navigation', { name: 'Breadcrumb' });
    expect((await way.getByRole('link').allInnerTexts()).join(' ')).to.equal('Secrets secret list deep down');
    await way.getByRole('link', { name: 'list' }).click();
    await row('linked').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a folder of many secrets is read page by page, and no page asks for all of them', async () => {
    await scene.sealift.context.db.raw(
      `INSERT INTO secrets (mount_id, path, current_version)
       SELECT (SELECT id FROM mounts WHERE path = 'secret'), 'many/' || lpad(n::text, 5, '0'), 0
       FROM generate_series(1, 20000) n`,
    );
    const { page, context, faults } = await signIn();
    const sizes: number[] = [];
    page.on('response', (response) => {
      if (response.url().includes('details=true'))
        void response.text().then(({ length }) => sizes.push(length));
    });
    await page.goto(`${scene.url}secrets/secret/many/`);
    await page.getByText('The first 200. There are more.').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('The first 400. There are more.').waitFor();
    expect(await page.getByRole('row').count()).to.equal(401);
    await page.getByLabel('Search by name').fill('19999');
    await page.getByText('1 secret', { exact: true }).waitFor();
    expect(Math.max(...sizes)).to.be.below(60_000);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret is linked from its own page, after the plan of the chosen destination', async () => {
    await scene.driver.write('sync/me', { user: 'app' });
    const { page, context, faults } = await signIn();
    await page.goto(`${scene.url}secrets/secret/sync/me`);
    await page.getByText('Not linked to any destination.').waitFor();
    await page.getByRole('button', { name: 'Sync this secret to…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Search destinations').fill('pro');
    await dialog.getByRole('button', { name: 'prod (AWS Secrets Manager)' }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'prod (AWS Secrets Manager)' }).click();
    const planned = dialog.filter({ hasText: 'will change in' });
    await planned.getByRole('button', { name: 'Cancel' }).click();
    await planned.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Search destinations').inputValue()).to.equal('pro');
    await dialog.getByRole('button', { name: 'prod (AWS Secrets Manager)' }).click();
    await answerDialog(page, 'Link and write 1 entry');
    await scene.driver.settles('sync/me', 'SYNCED');
    await page.getByRole('link', { name: 'prod (AWS Secrets Manager)' }).waitFor();
    await eventually(() => scene.fake.entries().some(({ name }) => name === 'sync/me'));
    await page.getByRole('button', { name: 'Sync this secret to…' }).click();
    await page.getByRole('heading', { name: 'No other destination' }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
