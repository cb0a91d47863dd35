import { expect } from 'chai';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { createCertificateUntil } from '../settings/support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const DAY_MS = 86_400_000;

describe('the settings in the console', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
  });

  after(() => scene.close());

  it('the settings open on what is used, in the order of the steps of single sign-on', async () => {
    const { page, context, faults } = await scene.enter();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'SAML settings' }).waitFor();
    await page.getByText('/users/saml/auth').waitFor();
    await page.getByRole('button', { name: 'Copy the ACS URL' }).waitFor();
    await page.getByRole('button', { name: 'Copy the Entity ID' }).waitFor();
    await page.getByText(`PUBLIC_URL is not set`).waitFor();
    await page.getByText(scene.sealift.url, { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(await page.locator('main h2').allInnerTexts()).to.include.ordered.members([
      'What the identity provider needs',
      'What the identity provider gives you',
      'User attributes and teams',
      'Sign-in',
      'Signatures and encryption',
    ]);
    expect(await page.getByLabel('Private key', { exact: true }).isVisible()).to.equal(false);
    expect(await page.getByLabel('Former IdP certificate').count()).to.equal(0);
    const tabs = page.getByRole('navigation', { name: 'Settings' }).getByRole('link');
    const labels = await tabs.allInnerTexts();
    expect(labels[0]).to.match(/^SAML/);
    expect(labels.at(-1)).to.equal('For other programs');
    expect(labels).to.not.include('Cost estimation');
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the settings for other programs are folded in one place, where they can be changed', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/general`);
    await page.getByLabel('API rate limit', { exact: true }).waitFor();
    expect(await page.getByLabel('Plan timeout').count()).to.equal(0);
    await page.getByRole('link', { name: 'For other programs' }).click();
    await page.getByRole('heading', { name: 'Cost estimation' }).waitFor();
    expect(await page.getByLabel('Plan timeout').isVisible()).to.equal(false);
    await page.getByRole('heading', { name: 'General' }).click();
    await page.getByLabel('Plan timeout').fill('3h');
    await page.getByRole('button', { name: 'Save', exact: true }).filter({ visible: true }).click();
    await page.getByText('Saved.').waitFor();
    const { body } = await scene.sealift.client.get('/api/v2/admin/general-settings');
    expect(body.data.attributes).to.include({ 'plan-timeout': '3h', 'api-rate-limit': 30 });
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a number says at its field what it may be, before anything is saved', async () => {
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/general`);
    await page.getByText('of one client below /api/v2. From 30 to 1,000,000.').waitFor();
    await page.goto(`${scene.url}settings/data-retention`);
    await page.getByText(/From 1 to 36,500\./).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a certificate that ended, ends soon or is not valid yet is marked at its field', async () => {
    const { client } = scene.sealift;
    const inDays = (days: number): Date => new Date(Date.now() + days * DAY_MS + DAY_MS / 2);
    const day = (time: Date): string => time.toLocaleDateString('en-GB', { dateStyle: 'medium' });
    const { page, context, faults } = await scene.signIn();
    const show = async (end: Date, text: string): Promise<void> => {
      const { cert } = await createCertificateUntil('idp', end);
      const data = { attributes: { 'idp-cert': cert } };
      expect((await client.patch('/api/v2/admin/saml-settings', { data })).status).to.equal(200);
      await page.goto(`${scene.url}settings/saml`);
      await described('IdP certificate', text);
    };
    const described = async (label: string, text: string): Promise<void> => {
      const field = page.getByLabel(label, { exact: true });
      const id = await field.getAttribute('aria-describedby');
      await page.locator(`[id="${id}"]`, { hasText: text }).waitFor();
    };
    await show(inDays(400), `Valid until ${day(inDays(400))}.`);
    await show(inDays(12), `Expires in 12 days (${day(inDays(12))})`);
    await show(inDays(-3), `Expired on ${day(inDays(-3))}`);
    await show(inDays(1000), 'Not valid before ');
    await described('Former IdP certificate', `Expired on ${day(inDays(-3))}`);
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel('IdP certificate', { exact: true }).fill('another');
    await page.getByText('Not valid before ').waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a test message by SMS is offered only once SMS is on, and the page says why', async () => {
    const { client } = scene.sealift;
    const turn = (enabled: boolean) =>
      client.patch('/api/v2/admin/sms-settings', {
        data: {
          attributes: { enabled, 'account-sid': 'AC1', 'auth-token': 'token', 'from-number': '+4930123' },
        },
      });
    const { page, context, faults } = await scene.signIn();
    await page.goto(`${scene.url}settings/sms`);
    await page.getByText('Not possible yet, because SMS is off.').waitFor();
    await page.getByText('Sealift itself sends nothing but the test message.').waitFor();
    const button = page.getByRole('button', { name: 'Send a test message…' });
    expect(await button.isDisabled()).to.equal(true);
    expect(await findBarriers(page)).to.deep.equal([]);
    expect((await turn(true)).status).to.equal(200);
    await page.reload();
    await eventually(() => button.isEnabled());
    expect(await page.getByText('Not possible yet').count()).to.equal(0);
    await button.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Test number').fill('12');
    await dialog.getByRole('button', { name: 'Send a test message' }).click();
    await dialog.getByText('Enter a phone number with its country code, such as +4915112345678.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).last().click();
    await page.getByLabel('Account SID').fill('XX1');
    await page.getByText('Your changes are not saved yet. The test uses the saved settings.').waitFor();
    await page.getByRole('button', { name: /Authentication token/ }).click();
    await page.getByLabel('Authentication token').fill('token');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved, but the account SIDs of Twilio begin with AC.').waitFor();
    const doubt = page.getByText('This one doesn’t begin with AC');
    await doubt.waitFor();
    await page.reload();
    await doubt.waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await turn(false);
    await page.reload();
    await page.getByText('Not possible yet, because SMS is off.').waitFor();
    expect(await doubt.count()).to.equal(0);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a blank that a keyboard adds to a host, an email address or a phone number is left out', async () => {
    const { page, context, faults } = await scene.signIn();
    const sentFrom = async (kind: string, typed: Record<string, string>) => {
      await page.goto(`${scene.url}settings/${kind}`);
      for (const [label, text] of Object.entries(typed))
        await page.getByLabel(label, { exact: true }).fill(text);
      const sent = page.waitForRequest((request) => request.method() === 'PATCH');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      return (await sent).postDataJSON().data.attributes;
    };
    expect(
      await sentFrom('smtp', { Host: 'mail.example.com ', Port: '587 ', Sender: ' sealift@example.com' }),
    ).to.deep.equal({ host: 'mail.example.com', port: 587, sender: 'sealift@example.com' });
    await page.getByText('Saved.', { exact: true }).waitFor();
    const { 'from-number': number } = await sentFrom('sms', { 'From number': '+4930124 ' });
    expect(number).to.equal('+4930124');
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
