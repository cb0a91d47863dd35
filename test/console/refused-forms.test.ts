import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { smtpError, startMailServer } from '../settings/support/mail-server.ts';
import { eventually } from '../support/eventually.ts';
import { findBarriers } from './support/axe.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';
import { isSeen } from './support/seen.ts';

describe('what a form of the console refuses', function () {
  let scene: ConsoleScene;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
  });

  after(() => scene.close());

  const hasFocus = (field: Locator): Promise<boolean> =>
    field.evaluate(
      (element) =>
        (globalThis as unknown as { document: { activeElement: unknown } }).document.activeElement ===
        element,
    );
  const expectLed = async (page: Page, field: Locator): Promise<void> => {
    await eventually(async () => (await hasFocus(field)) && isSeen(field));
    expect(await field.getAttribute('aria-invalid')).to.equal('true');
    expect(await findBarriers(page)).to.deep.equal([]);
  };
  const small = { size: { width: 1280, height: 600 } };

  it('a refused save leads to the first wrong field, and names all of them beside Save', async () => {
    const { page, context, faults } = await scene.signIn(small);
    await page.goto(`${scene.url}settings/smtp`);
    await page.getByLabel('Enabled').check();
    await page.getByLabel('Test email address').focus();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const said = page.getByText('Not saved. Check Host, Port, Sender.');
    await said.waitFor();
    await expectLed(page, page.getByLabel('Host'));
    expect(await isSeen(said)).to.equal(true);
    await page.getByText('Enter a host.').waitFor();
    await page.getByLabel('Host').fill('localhost');
    await said.waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a fault in a rule for alerts is told at its field in a whole sentence', async () => {
    const { page, context, faults } = await scene.signIn(small);
    await page.goto(`${scene.url}new-alert`);
    await page.getByLabel('Email addresses').fill('not-mail');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('"not-mail" is not an email address.', { exact: true }).waitFor();
    await page.getByLabel('Channel').selectOption('Webhook');
    await page.getByLabel('Webhook URL').fill('http://hooks.example');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('The URL must begin with https://.', { exact: true }).waitFor();
    const secret = 'A webhook needs a secret: openssl rand -base64 32 makes one.';
    await page.getByText(secret, { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a refused test of a new store leads to its wrong name, and the result of a test is seen', async () => {
    const { page, context, faults } = await scene.signIn(small);
    await page.goto(`${scene.url}connect`);
    await page.getByRole('button', { name: 'Choose AWS Secrets Manager' }).click();
    const name = page.getByLabel('Destination name');
    await name.fill('my prod!');
    await page.getByLabel('Access key ID', { exact: true }).fill('AKIAEXAMPLEONE');
    await page.getByLabel('Secret access key', { exact: true }).fill('a-secret-key');
    await page.getByLabel('Region', { exact: true }).fill('eu-central-1');
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('Not tested. Check Destination name.').waitFor();
    await expectLed(page, name);
    await page.getByText('Use 1 to 128 letters').waitFor();
    await name.fill('my-prod');
    await page.getByRole('button', { name: 'Test connection' }).click();
    const result = page.getByText(/^Credentials (accepted|rejected)/);
    await result.waitFor();
    expect(await isSeen(result)).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a mount that cannot be made says why at the field of its path', async () => {
    const { page, context, faults } = await scene.signIn(small);
    await page.goto(`${scene.url}secrets`);
    await page.getByRole('button', { name: 'Create a mount' }).click();
    const dialog = page.getByRole('dialog');
    const path = dialog.getByLabel('Path');
    await path.fill('/x');
    await dialog.getByText('A path doesn’t begin with a slash.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Create mount' }).isDisabled()).to.equal(true);
    await path.fill('a%b');
    await dialog.getByRole('button', { name: 'Create mount' }).click();
    await dialog.getByText('Not done. Check Path.').waitFor();
    await expectLed(page, path);
    await dialog.getByLabel('Maximum versions').fill('many');
    await path.fill('limited');
    await dialog.getByRole('button', { name: 'Create mount' }).click();
    await dialog.getByText('Not done. Check Maximum versions.').waitFor();
    await expectLed(page, dialog.getByLabel('Maximum versions'));
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('mail settings are saved even if the server is dead, and the page says what it answered', async () => {
    const { page, context, faults } = await scene.signIn(small);
    await page.goto(`${scene.url}settings/smtp`);
    await page.getByLabel('Enabled').check();
    await page.getByLabel('Host').fill('127.0.0.1');
    await page.getByLabel('Port').fill('1');
    await page.getByLabel('Sender').fill('sealift@example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    const answer = page.getByText(/SMTP server failed: it cannot be reached/);
    await answer.waitFor();
    expect(await isSeen(answer)).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('a test mail that the server refuses says why at the field that it concerns', async () => {
    const refusals: (() => void)[] = [];
    const mail = await startMailServer({
      onMailFrom: ({ address }, _session, done) =>
        done(address === 'unknown@example.com' ? smtpError(550) : null),
      onRcptTo: ({ address }, _session, done) =>
        address === 'ada@example.com' ? done() : refusals.push(() => done(smtpError(550))),
    });
    const { page, context, faults } = await scene.signIn(small);
    await page.goto(`${scene.url}settings/smtp`);
    const sender = page.getByLabel('Sender');
    await page.getByLabel('Enabled').check();
    await page.getByLabel('Host').fill('127.0.0.1');
    await page.getByLabel('Port').fill(String(mail.port));
    await sender.fill('unknown@example.com');
    await page.getByLabel('Test email address').fill('nobody@example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Not saved. Check Sender.').waitFor();
    await expectLed(page, sender);
    await page.getByText(/it replied to MAIL FROM with the SMTP code 550/).waitFor();
    await sender.fill('sealift@example.com');
    await page.getByLabel('Test email address').fill('ada@example.com');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved. A test message was sent to ada@example.com.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send a test…' }).click();
    const dialog = page.getByRole('dialog');
    const address = dialog.getByLabel('Email address');
    await address.fill('nobody@example.com');
    await dialog.getByRole('button', { name: 'Send', exact: true }).click();
    const sending = dialog.getByRole('button', { name: 'Sending…', exact: true });
    await sending.waitFor();
    expect(await sending.isDisabled()).to.equal(true);
    await eventually(() => refusals.length === 1);
    refusals[0]?.();
    await dialog.getByText('Not done. Check Email address.').waitFor();
    await expectLed(page, address);
    await dialog
      .getByText(/it replied to RCPT TO with the SMTP code 550: there is no such mailbox/)
      .waitFor();
    await dialog.getByRole('button', { name: 'Send', exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
    await mail.close();
  });
});
