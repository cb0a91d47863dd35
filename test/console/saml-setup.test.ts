import { expect } from 'chai';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { IDENTITY_PROVIDERS } from '../../libs/telling/identity-providers.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const DOCUMENT = '/api/v2/admin/saml-settings';

describe('the SAML page before single sign-on is set up', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
  });

  after(() => scene.close());

  const open = async () => {
    const watched = await scene.signIn();
    await watched.page.goto(`${scene.url}settings/saml`);
    await watched.page.getByLabel('Username attribute').waitFor();
    return watched;
  };

  it('each usual provider fills in the names of its attributes, which undo takes back unsaved', async () => {
    const { page, context, faults } = await open();
    const username = page.getByLabel('Username attribute');
    const teams = page.getByLabel('Teams attribute');
    await username.fill('typed');
    for (const { name, attributes, advice } of IDENTITY_PROVIDERS) {
      await page.getByRole('button', { name, exact: true }).click();
      await page.getByText(advice).waitFor();
      expect(await username.inputValue(), name).to.equal(attributes['attr-username']);
      expect(await teams.inputValue(), name).to.equal(attributes['attr-groups']);
      await page.getByText('Without one, “Site admin team” decides.').waitFor();
    }
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Discard' }).click();
    await username.fill('typed');
    await page.getByRole('button', { name: 'Keycloak' }).click();
    await page
      .getByText('Filled in the usual names of Keycloak: Username attribute, Teams attribute. Not saved yet.')
      .waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await username.inputValue()).to.equal('typed');
    expect(await teams.inputValue()).to.equal('MemberOf');
    expect(await page.getByText('names of Keycloak').count()).to.equal(0);
    expect((await scene.sealift.client.get(DOCUMENT)).body.data.attributes).to.include({
      'attr-username': 'Username',
      'attr-groups': 'MemberOf',
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the names of a provider that are saved are stored, and nothing about the provider', async () => {
    const { page, context, faults } = await open();
    const before = (await scene.sealift.client.get(DOCUMENT)).body.data.attributes;
    await page.getByRole('button', { name: 'AD FS' }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Change single sign-on' });
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await scene.sealift.client.get(DOCUMENT);
    expect(body.data.attributes).to.deep.equal({
      ...before,
      'attr-username': 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/upn',
      'attr-groups': 'http://schemas.xmlsoap.org/claims/Group',
    });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page says why sign-in cannot be tested yet, and what to do', async () => {
    const { page, context, faults } = await open();
    const test = page.getByRole('button', { name: 'Test sign-in' });
    expect(await test.isDisabled()).to.equal(true);
    const reason = await test.getAttribute('aria-describedby');
    expect(await page.locator(`[id="${reason}"]`).innerText()).to.include(
      'Turn on “Enabled” above, save, and then test.',
    );
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('metadata can be filled in only once there are some', async () => {
    const { page, context, faults } = await open();
    await page.getByRole('button', { name: 'Load metadata…' }).click();
    const fillIn = page.getByRole('dialog').getByRole('button', { name: 'Fill in' });
    expect(await fillIn.isDisabled()).to.equal(true);
    await page.getByLabel('Or paste the XML').fill('<a/>');
    await fillIn.click();
    await page.getByText('This is XML, but no SAML metadata').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
