import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { paste } from './support/paste.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const PEM = '-----BEGIN PRIVATE KEY-----\nMIIBVg+/=\n\tindented\n\n-----END PRIVATE KEY-----\n';
const LONG = 'sixteen letters\n'.repeat(4096);

/** Texts that a browser or a form may change. */
const TEXTS: [what: string, text: string][] = [
  ['PEM', PEM],
  ['PEM with CR LF', PEM.replaceAll('\n', '\r\n')],
  ['mixed line ends', 'one\r\ntwo\nthree\rfour\n\r\n'],
  ['blanks at both ends', '  \t padded \u00a0\u3000 '],
  ['emoji and accents', '🔑 Zoë e\u0301 \u200d👩‍👩‍👧 \ufeff'],
  ['64 KiB', LONG],
  ['64 KiB in one line', 'x'.repeat(65_536)],
  ['JSON document', '{\n  "type": "service_account",\n  "n": 12345678901234567890\n}\n'],
  ['dotenv', 'A=1\nB="two words"\r\nexport C=\'$A\'\n'],
  ['digits', '12345678901234567890'],
  ['number with zeros', '007.10'],
  ['word of JSON', 'null'],
  ['HTML', '</textarea><script>alert(1)</script>&amp;'],
  ['one blank', ' '],
  ['one line end', '\n'],
];

describe('values that are typed in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
  });

  after(() => scene.close());

  const signIn = () => scene.signIn({ permissions: ['clipboard-read', 'clipboard-write'] });

  const openEdit = async (page: Page, path: string): Promise<void> => {
    await page.goto(`${scene.url}secrets/secret/${path}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
  };

  const write = async (page: Page, version: number): Promise<void> => {
    await page.getByRole('button', { name: `Save as v${version}`, exact: true }).click();
    await page.getByRole('heading', { name: `Keys of v${version}` }).waitFor();
  };

  const stored = async (path: string) =>
    (await scene.sealift.client.get(`/v1/secret/data/${path}`)).body.data.data;

  it('every text that is pasted for a key or a new key is stored and pushed byte for byte', async () => {
    const data = Object.fromEntries(TEXTS.map(([what]) => [what, 'before']));
    await scene.driver.write('typed/texts', data);
    await scene.link('typed/pushed', { pem: 'before' });
    const { page, context, faults } = await signIn();
    await openEdit(page, 'typed/texts');
    for (const [what, text] of TEXTS) {
      await page.getByRole('button', { name: `Replace ${what}`, exact: true }).click();
      await paste(page.getByLabel(`New value of ${what}`, { exact: true }), text);
    }
    await page.getByLabel('Name of the new key').fill('new');
    await paste(page.getByLabel('Value of the new key', { exact: true }), PEM);
    expect(await findBarriers(page)).to.deep.equal([]);
    await write(page, 2);
    const wanted = { ...Object.fromEntries(TEXTS), new: PEM };
    expect(await stored('typed/texts')).to.deep.equal(wanted);

    await openEdit(page, 'typed/pushed');
    await page.getByRole('button', { name: 'Replace pem' }).click();
    await paste(page.getByLabel('New value of pem'), PEM.replaceAll('\n', '\r\n'));
    await write(page, 2);
    await eventually(() => {
      const entry = scene.fake.entries().find(({ name }) => name === 'typed/pushed');
      expect(JSON.parse(entry?.value ?? '')).to.deep.equal({ pem: PEM.replaceAll('\n', '\r\n') });
      return true;
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a number, an object and null stay what they are, with every digit', async () => {
    const raw = '{"data":{"n":5,"big":1,"obj":{"a":1,"b":[1,2]},"yes":true,"none":0,"text":"5"}}';
    await scene.sealift.client.post('/v1/secret/data/typed/types', undefined, { raw });
    const { page, context, faults } = await signIn();
    await openEdit(page, 'typed/types');
    const replace = async (key: string, text: string): Promise<void> => {
      await page.getByRole('button', { name: `Replace ${key}`, exact: true }).click();
      await paste(page.getByLabel(`New value of ${key}`, { exact: true }), text);
    };
    await replace('n', '6');
    await replace('big', '12345678901234567890');
    await replace('obj', '{"a":{"c":null}}');
    await replace('text', '6');
    await replace('none', 'null');
    await page.getByText('This is not a number').waitFor();
    await page.getByLabel('Type of none').selectOption('json');
    await page.getByText('It was a number and becomes null.').waitFor();
    await page.getByRole('button', { name: 'Replace yes' }).click();
    const yes = page.getByLabel('New value of yes', { exact: true });
    await yes.fill('perhaps');
    await page.getByText('This is not valid JSON').waitFor();
    expect(await page.getByRole('button', { name: 'Save as v2', exact: true }).isDisabled()).to.equal(true);
    await page.getByLabel('Type of yes').selectOption('text');
    await page.getByText('It was a boolean and becomes a text.').waitFor();
    await write(page, 2);
    const { text } = await scene.sealift.client.get('/v1/secret/data/typed/types');
    expect(text).to.contain(
      '"data":{"n":6,"big":12345678901234567890,"obj":{"a":{"c":null}},"yes":"perhaps","none":null,"text":"6"}',
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the whole secret is edited as JSON, and what is not touched keeps every digit and line end', async () => {
    const raw =
      '{"data":{"big":12345678901234567890,"float":1.10,"pem":"a\\r\\nb\\n","gone":1,"changed":[1]}}';
    await scene.sealift.client.post('/v1/secret/data/typed/json', undefined, { raw });
    const { page, context, faults } = await signIn();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.postData() ?? '');
    });
    await openEdit(page, 'typed/json');
    await page.getByRole('button', { name: 'Reveal all and edit as JSON' }).click();
    const document = page.getByLabel('The secret as JSON');
    expect(await document.inputValue()).to.contain('"big": 12345678901234567890');
    expect(await page.getByRole('button', { name: 'Save as v2', exact: true }).isDisabled()).to.equal(true);
    await document.fill('{"a": 1, "a": 2}');
    await page.getByText('The key a appears twice.').waitFor();
    await document.fill('{\n  "a": 1, "b": true,}');
    await page.getByText('This is not valid JSON: see line 2, column 21.').waitFor();
    await document.fill(
      '{"big": 12345678901234567890, "float": 1.10, "pem": "a\\r\\nb\\n", "changed": {"x": 98765432109876543210}}',
    );
    expect(await findBarriers(page)).to.deep.equal([]);
    await write(page, 2);
    expect(sent).to.deep.equal([
      '{"data":{"changed":{"x":98765432109876543210}},"options":{"cas":1,"replace":true,"remove":["gone"]}}',
    ]);
    const { text } = await scene.sealift.client.get('/v1/secret/data/typed/json');
    expect(text).to.contain(
      '"data":{"big":12345678901234567890,"float":1.10,"pem":"a\\r\\nb\\n","changed":{"x":98765432109876543210}}',
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a stored text is changed in one place and keeps its line ends everywhere else', async () => {
    await scene.driver.write('typed/ends', { pem: 'first\r\nsecond\r\nthird\n' });
    const { page, context } = await signIn();
    await openEdit(page, 'typed/ends');
    await page.getByRole('button', { name: 'Reveal and change pem' }).click();
    const field = page.getByLabel('New value of pem', { exact: true });
    await eventually(async () => (await field.inputValue()) === 'first\nsecond\nthird\n');
    await field.focus();
    await page.evaluate('document.activeElement.setSelectionRange(6, 12)');
    await field.press('Delete');
    await field.pressSequentially('2nd');
    await write(page, 2);
    expect(await stored('typed/ends')).to.deep.equal({ pem: 'first\r\n2nd\r\nthird\n' });
    await context.close();
  });

  it('a new key takes the place of no other, and may have any name', async () => {
    await scene.driver.write('typed/names', { user: 'app', constructor: 'a', toString: 'b' });
    const { page, context, faults } = await signIn();
    await openEdit(page, 'typed/names');
    const save = page.getByRole('button', { name: 'Save as v2', exact: true });
    await page.getByLabel('Value of the new key', { exact: true }).fill('typed');
    await page.getByText('This value needs the name of its key.').waitFor();
    expect(await save.isDisabled()).to.equal(true);
    await page.getByLabel('Name of the new key').fill('user');
    await page.getByText('This key exists').waitFor();
    expect(await save.isDisabled()).to.equal(true);
    await paste(page.getByLabel('Name of the new key'), 'A=1\nB=2');
    await page.getByText('This field takes one line, and the text has 2').waitFor();
    await page.getByLabel('Name of the new key').fill('__proto__');
    await page.getByRole('button', { name: 'Delete constructor' }).click();
    await write(page, 2);
    const { text } = await scene.sealift.client.get('/v1/secret/data/typed/names');
    expect(text).to.contain('"data":{"user":"app","toString":"b","__proto__":"typed"}');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a revealed value is shown with its lines and blanks, and says what it is', async () => {
    await scene.driver.write('typed/shown', { lines: 'a  b\n\tc', port: 5432 });
    const { page, context } = await signIn();
    await page.goto(`${scene.url}secrets/secret/typed/shown`);
    await page.getByRole('row', { name: /port/ }).getByText('number').waitFor();
    await page.getByRole('button', { name: 'Reveal lines' }).click();
    const shown = page.getByRole('row', { name: /lines/ }).locator('code[translate="no"]');
    expect(await shown.innerText()).to.equal('a  b\n\tc');
    await context.close();
  });
});
