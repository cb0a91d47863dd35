import { expect } from 'chai';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { eventually } from '../support/eventually.ts';
import { answerDialog } from './support/answer.ts';
import { findBarriers } from './support/axe.ts';
import { paste } from './support/paste.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const DESTINATION = '/v1/sys/sync/destinations/cloud1-sm/prod';

describe('settings and policies that are typed in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
  });

  after(() => scene.close());

  const signIn = () => scene.signIn({ permissions: ['clipboard-read', 'clipboard-write'] });

  it('a text of several lines is kept in a field for one line, which becomes one for many', async () => {
    const footer = '  Call us:\r\n\tZoë 🔑\n\n';
    const { page, context, faults } = await signIn();
    await page.goto(`${scene.url}settings/customization`);
    const field = page.getByLabel('Footer');
    await field.fill('x');
    await field.press('Control+a');
    await paste(field, footer);
    expect(await field.evaluate('document.activeElement.tagName')).to.equal('TEXTAREA');
    await page.getByText('Some lines end in CR or CR LF.').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const read = await scene.sealift.client.get('/api/v2/admin/customization-settings');
    expect(read.body.data.attributes.footer).to.equal(footer);
    await page.reload();
    await eventually(async () => (await field.inputValue()) === footer.replaceAll('\r\n', '\n'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a blank that is pasted around a URL is left out', async () => {
    const { page, context, faults } = await signIn();
    await page.goto(`${scene.url}settings/saml`);
    await page.getByLabel('SSO endpoint URL').fill(' https://idp.example/sso ');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').getByLabel('Your token').fill(scene.sealift.token);
    await answerDialog(page, 'Save');
    await page.getByText('Saved.').waitFor();
    const read = await scene.sealift.client.get('/api/v2/admin/saml-settings');
    expect(read.body.data.attributes['sso-endpoint-url']).to.equal('https://idp.example/sso');
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a secret that is pasted with a line end at its end loses only that, and the page says so', async () => {
    const { page, context } = await signIn();
    const sent: string[] = [];
    await page.route('**/smtp-settings', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue();
      sent.push(route.request().postData() ?? '');
      return route.fulfill({ status: 422, json: { errors: [{ detail: 'not now' }] } });
    });
    await page.goto(`${scene.url}settings/smtp`);
    await page.getByLabel('Authentication').selectOption({ label: 'User name and password' });
    await paste(page.getByLabel('Password'), ' pass word \n');
    await page.getByText('The line end beside the pasted text was left out.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('not now').waitFor();
    await page.getByLabel('Password').fill('');
    await paste(page.getByLabel('Password'), 'one\ntwo');
    expect(await page.getByLabel('Password').inputValue()).to.equal('one\ntwo');
    await page.getByLabel('Port').fill('12345678901234567890');
    await page.getByRole('button', { name: 'Save' }).click();
    await eventually(() => sent.length === 2);
    expect(sent.map((body) => JSON.parse(body).data.attributes)).to.deep.equal([
      { auth: 'plain', password: ' pass word ' },
      { auth: 'plain', password: 'one\ntwo', port: '12345678901234567890' },
    ]);
    await context.close();
  });

  it('tags keep their blanks, and tags that lines cannot show are edited as JSON', async () => {
    const { client } = scene.sealift;
    const tags = async () => (await client.get(DESTINATION)).body.data.options.custom_tags;
    const { page, context } = await signIn();
    await page.goto(`${scene.url}destinations/cloud1-sm/prod/settings`);
    await page.getByLabel('Custom tags').fill('team=a = b \nempty=');
    await page.getByRole('button', { name: 'Save' }).click();
    await answerDialog(page, /^Save/);
    await page.getByText('Saved.').waitFor();
    expect(await tags()).to.deep.equal({ team: 'a = b ', empty: '' });
    await client.patch(DESTINATION, { custom_tags: { 'a=b': 'c' } });
    await page.reload();
    await eventually(async () => (await page.getByLabel('Custom tags').inputValue()).startsWith('{'));
    await page.getByLabel('Custom tags').fill('{"a=b": "d"}');
    await page.getByRole('button', { name: 'Save' }).click();
    await answerDialog(page, /^Save/);
    await page.getByText('Saved.').waitFor();
    expect(await tags()).to.deep.equal({ 'a=b': 'd' });
    await context.close();
  });

  it('a policy keeps its line ends where it is not edited', async () => {
    const path = '/v1/sys/policies/acl/ends';
    const policy = '# first\r\npath "a" {\r\n  capabilities = ["read"]\r\n}\n';
    await scene.sealift.client.post(path, { policy });
    const { page, context } = await signIn();
    await page.goto(`${scene.url}access/policies/ends`);
    const text = page.getByLabel('Policy, in HCL or JSON');
    await text.press('Control+Home');
    await text.press('End');
    await text.pressSequentially(' line');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const read = await scene.sealift.client.get(path);
    expect(read.body.data.policy).to.equal(policy.replace('# first', '# first line'));
    await context.close();
  });
});
