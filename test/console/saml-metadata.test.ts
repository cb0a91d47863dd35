import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startSettingsWorker } from '../../services/settings/start.ts';
import {
  createCertificate,
  createCertificateUntil,
  toBase64,
  type Certificate,
} from '../settings/support/certificates.ts';
import { findBarriers } from './support/axe.ts';
import { metadataOf, type MetadataParts } from './support/metadata.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

const DAY_MS = 86_400_000;
const SIGN_IN = 'https://idp.example/sso?a=1&b=2';
const POST_ONLY = { 'HTTP-POST': 'https://idp.example/post' };

describe('the metadata of an identity provider in the console', function () {
  let scene: ConsoleScene;
  let ended: Certificate;
  let present: Certificate;
  let next: Certificate;

  before(async function () {
    this.timeout(600_000);
    scene = await openConsoleScene();
    await scene.sealift.start('settings', startSettingsWorker);
    ended = await createCertificateUntil('ended', new Date(Date.now() - DAY_MS));
    [present, next] = await Promise.all([createCertificate('present'), createCertificate('next')]);
  });

  after(() => scene.close());

  const open = async () => {
    const watched = await scene.signIn();
    await watched.page.goto(`${scene.url}settings/saml`);
    await watched.page.getByLabel('SSO endpoint URL').waitFor();
    return watched;
  };
  const load = async (page: Page, text: string | Buffer, name = 'metadata.xml'): Promise<void> => {
    if (!(await page.getByRole('dialog').isVisible()))
      await page.getByRole('button', { name: 'Load metadata…' }).click();
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('dialog').getByRole('button', { name: 'Load a file: Metadata' }).click();
    await (await choosing).setFiles({ name, mimeType: 'text/xml', buffer: Buffer.from(text) });
  };
  const loadCertificate = async (page: Page, name: string, buffer: Buffer): Promise<void> => {
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Load a file: IdP certificate' }).click();
    await (await choosing).setFiles({ name, mimeType: 'application/octet-stream', buffer });
  };
  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Change single sign-on' });
    await dialog.getByLabel('Your token').fill(scene.sealift.token);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  };
  const certificateField = (page: Page) => page.getByLabel('IdP certificate', { exact: true });
  const stored = async () =>
    (await scene.sealift.client.get('/api/v2/admin/saml-settings')).body.data.attributes;

  it('metadata fill in both addresses and the certificate, which undo takes back unsaved', async () => {
    const { page, context, faults } = await open();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${request.postData() ?? ''}`));
    await page.getByLabel('SLO endpoint URL').fill('https://idp.example/typed');
    await load(page, metadataOf({ keys: [{ use: 'encryption', cert: next.cert }, { cert: present.cert }] }));
    await page.getByText('Filled in from the metadata of https://idp.example').waitFor();
    expect(await page.getByLabel('SSO endpoint URL').inputValue()).to.equal(SIGN_IN);
    expect(await page.getByLabel('SLO endpoint URL').inputValue()).to.equal('https://idp.example/slo');
    expect(toBase64(await certificateField(page).inputValue())).to.equal(toBase64(present.cert));
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('button', { name: 'Undo' }).click();
    expect(await page.getByLabel('SSO endpoint URL').inputValue()).to.equal('');
    expect(await page.getByLabel('SLO endpoint URL').inputValue()).to.equal('https://idp.example/typed');
    expect(await certificateField(page).inputValue()).to.equal('');
    expect(await page.getByText('Filled in from').count()).to.equal(0);
    expect(sent.filter((request) => /idp\.example|PATCH/.test(request))).to.deep.equal([]);
    expect(await stored()).to.include({ 'idp-cert': null, 'sso-endpoint-url': null });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the first valid certificate of several is taken, and a second look brings the next one', async () => {
    const { page, context, faults } = await open();
    const keys = [ended, present, next].map(({ cert }) => ({ use: 'signing', cert }));
    const metadata = metadataOf({ keys });
    await load(page, metadata);
    await page.getByText('has 3 signing certificates. The first new one is filled in, valid until').waitFor();
    await page.getByText('To accept the next one too, save these settings').waitFor();
    expect(toBase64(await certificateField(page).inputValue())).to.equal(toBase64(present.cert));
    await save(page);
    expect((await stored())['sso-endpoint-url']).to.equal(SIGN_IN);

    await load(page, metadata);
    await page.getByText('The present one is accepted too until you revoke it.').waitFor();
    await page.getByText('Filled in from the metadata of https://idp.example: IdP certificate.').waitFor();
    await save(page);
    const settings = await stored();
    expect(toBase64(settings['idp-cert'])).to.equal(toBase64(next.cert));
    expect(toBase64(settings['old-idp-cert'])).to.equal(toBase64(present.cert));

    await load(page, metadata);
    await page.getByText('The metadata of https://idp.example bring nothing new.').waitFor();
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).to.equal(true);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the page says what metadata lack, and what to do about it', async () => {
    const { page, context, faults } = await open();
    const lacking = { entity: 'https://other.example', signIn: POST_ONLY, signOut: {} };
    const cases: [MetadataParts, string][] = [
      [{ ...lacking, keys: [{ cert: ended.cert }] }, 'The certificate expired on'],
      [{ ...lacking, keys: [{ cert: present.cert }] }, 'They name no address for sign-in by HTTP-Redirect'],
      [{ ...lacking, keys: [] }, 'They have no signing certificate'],
    ];
    for (const [parts, said] of cases) {
      await load(page, metadataOf(parts));
      await page.getByText(said).waitFor();
    }
    await page.getByLabel('SLO endpoint URL').fill('');
    await load(page, metadataOf({ signOut: {} }));
    await page.getByText('They name no address for single logout').waitFor();
    expect(await page.getByLabel('SLO endpoint URL').inputValue()).to.equal(SIGN_IN);
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('metadata of another provider leave nothing of the former one unnoticed', async () => {
    const { status } = await scene.sealift.client.patch('/api/v2/admin/saml-settings', {
      data: {
        attributes: {
          'idp-cert': present.cert,
          'sso-endpoint-url': SIGN_IN,
          'slo-endpoint-url': 'https://idp.example/slo',
        },
      },
    });
    expect(status).to.equal(200);
    const { page, context, faults } = await open();
    const other = { 'HTTP-Redirect': 'https://other.example/sso' };
    await load(page, metadataOf({ signIn: other, signOut: {}, keys: [{ cert: ended.cert }] }));
    await page.getByText('Its field had that of the former provider').waitFor();
    await page.getByText('accepting the certificate of the former provider until you revoke it').waitFor();
    const signOut = page.getByLabel('SLO endpoint URL');
    expect(await signOut.inputValue()).to.equal('https://other.example/sso');
    await page.getByText('This is the certificate of ended. It expired on').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await signOut.fill('https://elsewhere.example/slo');
    await load(page, metadataOf({ signIn: other, signOut: {}, keys: [{ cert: present.cert }] }));
    await page.getByText('Its field keeps the address that it had').waitFor();
    expect(await signOut.inputValue()).to.equal('https://elsewhere.example/slo');
    expect(await page.getByText('certificate of the former provider').count()).to.equal(0);
    await load(page, metadataOf({ signIn: { 'HTTP-Redirect': 'http://other.example/sso' } }));
    await page.getByText('does not begin with https, which Sealift requires').waitFor();
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('each wrong file is refused with a sentence of its own, and fills in nothing', async () => {
    const { page, context, faults } = await open();
    const one = metadataOf({ keys: [{ cert: present.cert }] }).replace(/^.*\n.*\n/, '');
    const several = `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata">${one}${one}</EntitiesDescriptor>`;
    const own = await scene.sealift.client.get('/users/saml/metadata', { token: null });
    const doctype = `<!DOCTYPE a [<!ENTITY x SYSTEM "${scene.sealift.url}/secret">]>${one}`;
    const cases: [string | Buffer, string][] = [
      [several, 'These are the metadata of 2 identity providers.'],
      [own.text, 'These are the metadata of a service provider'],
      [doctype, 'This has a document type (DOCTYPE)'],
      [one.replace('</md:EntityDescriptor>', ''), 'This is not well-formed XML.'],
      ['<html><body>Sign in</body></html>', 'This is XML, but no SAML metadata: it begins with “html”'],
      [present.cert, 'This is a certificate.'],
      ['{"issuer": "https://idp.example"}', 'This is not XML.'],
      ['https://idp.example/metadata', 'This is an address.'],
      [Buffer.from([0x30, 0x82, 0xff]), 'metadata.xml is not a text file.'],
      [`${one}${' '.repeat(1024 * 1024)}`, 'A file may have at most 1 MiB.'],
      ['', 'Load a file, or paste the metadata.'],
    ];
    for (const [text, said] of cases) {
      await load(page, text);
      await page.getByRole('dialog').getByText(said).waitFor();
    }
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByLabel('Or paste the XML').fill(`\uFEFF${one}`);
    await page.getByRole('button', { name: 'Fill in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(faults).to.deep.equal([]);
    await context.close();
  });

  it('the certificate is loaded from PEM, DER or base64, and no other file is taken for one', async () => {
    const { page, context, faults } = await open();
    const der = Buffer.from(toBase64(ended.cert), 'base64');
    const good: [string, Buffer][] = [
      ['idp.cer', der],
      ['idp.pem', Buffer.from(ended.cert)],
      ['idp.txt', Buffer.from(toBase64(ended.cert))],
    ];
    for (const [name, content] of good) {
      await certificateField(page).fill('');
      await loadCertificate(page, name, content);
      await page.getByText(`Loaded ${name}. This is the certificate of ended. It expired on`).waitFor();
      expect(toBase64(await certificateField(page).inputValue()), name).to.equal(toBase64(ended.cert));
    }
    const wrong: [string, Buffer, string][] = [
      [
        'idp.p12',
        Buffer.from([0x30, 0x82, 0x00, 0x03, 0x02, 0x01, 0x03]),
        'It is no certificate in PEM or DER.',
      ],
      ['idp.key', Buffer.from(ended.key), 'It holds a private key.'],
      ['idp.xml', Buffer.from(metadataOf()), 'It is XML.'],
      ['cut.cer', der.subarray(0, 200), 'It is no certificate in PEM or DER.'],
    ];
    for (const [name, content, said] of wrong) {
      await loadCertificate(page, name, content);
      await page.getByText(`${name} was not loaded. ${said}`).waitFor();
    }
    expect(toBase64(await certificateField(page).inputValue())).to.equal(toBase64(ended.cert));
    expect(faults).to.deep.equal([]);
    await context.close();
  });
});
