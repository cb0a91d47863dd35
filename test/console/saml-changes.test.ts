import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { createCertificate, createCertificateUntil } from '../settings/support/certificates.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const DAY_MS = 86_400_000;
const DOCUMENT = '/api/v2/admin/saml-settings';

describe('changes of the SAML settings in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
  });

  after(() => scene.close());

  const store = async (attributes: Record<string, unknown>): Promise<void> => {
    const { status, text } = await scene.sealift.client.patch(DOCUMENT, { data: { attributes } });
    expect(status, text).to.equal(200);
  };
  const open = async () => {
    const watched = await scene.signIn();
    await watched.page.goto(`${scene.url}settings/saml`);
    return watched;
  };
  const printOf = (cert: string): string => new X509Certificate(cert).fingerprint256;
  const askToSave = async (page: Page) => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    return page.getByRole('dialog', { name: 'Change single sign-on' });
  };
  const enable = async (certificates: string[]): Promise<void> => {
    await store({ enabled: false, 'idp-cert': null });
    for (const cert of certificates)
      await store({
        enabled: true,
        'idp-cert': cert,
        'sso-endpoint-url': 'https://idp.example/sso',
        'slo-endpoint-url': 'https://idp.example/slo',
      });
  };

  it('a fault is told at its field before a token is asked for, as the field is left', async () => {
    await store({ enabled: false, 'idp-cert': null, 'sso-endpoint-url': null });
    const { page, context, faults } = await open();
    await page.getByLabel('Enabled').check();
    await page.getByLabel('SSO endpoint URL').fill('http://idp.example');
    await page.getByLabel('Username attribute').focus();
    await page.getByText('Enter an https URL without spaces or control characters.').waitFor();
    const certificate = page.getByLabel('IdP certificate', { exact: true });
    expect(await certificate.getAttribute('aria-invalid')).to.equal('false');
    const dialog = await askToSave(page);
    await page.locator('[aria-invalid="true"]').nth(2).waitFor();
    expect(await certificate.getAttribute('aria-invalid')).to.equal('true');
    expect(await dialog.count()).to.equal(0);
    expect(await page.getByLabel('SSO endpoint URL').inputValue()).to.equal('http://idp.example');
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  for (const [name, daysLeft, fault] of [
    ['an expired certificate', -3, 'expired on'],
    ['a certificate that is not valid yet', 1000, 'is not valid before'],
  ] as const)
    it(`${name} is warned of before it is saved, and told afterwards`, async () => {
      const { cert } = await createCertificateUntil('idp', new Date(Date.now() + daysLeft * DAY_MS));
      await store({ enabled: false, 'idp-cert': null });
      const { page, context, faults } = await open();
      await page.getByLabel('IdP certificate', { exact: true }).fill(cert);
      const dialog = await askToSave(page);
      await dialog.getByText(`The IdP certificate ${fault}`).waitFor();
      expect(await dialog.getByText('no longer be accepted').count()).to.equal(0);
      expect(await findBarriers(page)).to.deep.equal([]);
      await dialog.getByLabel('Your token').fill(scene.sealift.token);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText(`Saved, but the IdP certificate ${fault}`).waitFor();
      await page.getByText(printOf(cert)).waitFor();
      expect(faults).to.deep.equal([]);
      await context.close();
    });

  it('a change names the former certificate that will no longer be accepted', async () => {
    const certificates = await Promise.all(['first', 'second', 'third'].map(createCertificate));
    const [first = '', second = '', third = ''] = certificates.map(({ cert }) => cert);
    await enable([first, second]);
    const { page, context, faults } = await open();
    await page.getByLabel('IdP certificate', { exact: true }).fill(third);
    const dialog = await askToSave(page);
    await dialog.getByText('will no longer be accepted:').waitFor();
    await dialog.getByText('Subject: CN=first').waitFor();
    await dialog.getByText(printOf(first)).waitFor();
    await dialog.getByText('Valid until').waitFor();
    expect(await dialog.getByText(printOf(second)).count()).to.equal(0);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('whoever revokes the former certificate sees which it is, and whether the other is valid', async () => {
    const former = await createCertificate('former');
    const current = await createCertificate('current');
    const expired = await createCertificateUntil('expired', new Date(Date.now() - 3 * DAY_MS));
    const { page, context, faults } = await open();
    const ask = async () => {
      await page.goto(`${scene.url}settings/saml`);
      await page.getByRole('button', { name: 'Revoke the former certificate…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Revoke the former certificate' });
      await dialog.getByText('Subject: CN=former').waitFor();
      await dialog.getByText(printOf(former.cert)).waitFor();
      expect(await findBarriers(page)).to.deep.equal([]);
      return dialog;
    };
    await enable([former.cert, current.cert]);
    const dialog = await ask();
    await dialog.getByText('The current certificate is valid and stays accepted:').waitFor();
    expect(await dialog.getByText('nobody will be able').count()).to.equal(0);
    await enable([former.cert, expired.cert]);
    await (await ask()).getByText('nobody will be able to sign in').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a revocation is said to be done only until there is another certificate to revoke', async () => {
    const certificates = await Promise.all(['former', 'current', 'next'].map(createCertificate));
    const [former = '', current = '', next = ''] = certificates.map(({ cert }) => cert);
    await enable([former, current]);
    const { page, context, faults } = await open();
    await page.getByRole('button', { name: 'Revoke the former certificate…' }).click();
    const revocation = page.getByRole('dialog', { name: 'Revoke the former certificate' });
    await revocation.getByRole('button', { name: 'Revoke the former certificate' }).click();
    await page.getByText('Done.').waitFor();
    await page.getByText('There is no former certificate to revoke.').waitFor();
    await page.getByLabel('IdP certificate', { exact: true }).fill(next);
    const dialog = await askToSave(page);
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Revoke the former certificate…' }).waitFor();
    expect(await page.getByText('Done.').count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('an emptied attribute is told in a sentence, or saved where it may be empty', async () => {
    await enable([(await createCertificate('idp')).cert]);
    const { page, context, faults } = await open();
    await page.getByLabel('Username attribute').fill('');
    await page.getByLabel('Site admin attribute').fill('');
    expect(await (await askToSave(page)).count()).to.equal(0);
    await page.getByText('Enter a value.').waitFor();
    expect(await page.locator('[aria-invalid="true"]').count()).to.equal(1);
    await page.getByLabel('Username attribute').fill('uid');
    const dialog = await askToSave(page);
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await scene.sealift.client.get(DOCUMENT);
    expect(body.data.attributes).to.include({ 'attr-username': 'uid', 'attr-site-admin': '' });
    expect(faults.filter((fault) => !fault.includes('422'))).to.deep.equal([]);
    await context.close();
  });

  it('the test says that it uses the saved settings, and turning off what becomes of people', async () => {
    await enable([(await createCertificate('idp')).cert]);
    const { page, context, faults } = await open();
    const test = page.getByRole('button', { name: 'Test sign-in' });
    await test.waitFor();
    expect(await test.getAttribute('aria-describedby')).to.equal(null);
    const opened = context.waitForEvent('page');
    await test.click();
    await (await opened).close();
    await page.getByText('If no window has opened').waitFor();
    await page.getByLabel('Enabled').uncheck();
    await page.getByText('The test uses the saved settings.').waitFor();
    const dialog = await askToSave(page);
    await dialog.getByText('People who are signed in stay signed in until their sessions end.').waitFor();
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
    expect(await page.getByText('If no window has opened').count()).to.equal(0);
    expect(await page.getByText('The test uses the saved settings.').count()).to.equal(0);
    expect(faults.filter((fault) => !fault.includes('idp.example'))).to.deep.equal([]);
    await context.close();
  });
});
