import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { startSettingsWorker } from '../../services/settings/start.ts';
import { findFreePorts } from '../cli/ports.ts';
import { createCertificate, type Certificate } from '../settings/support/certificates.ts';
import { createResponse } from '../settings/support/identity-provider.ts';
import { findBarriers } from './support/axe.ts';
import { openPage, type WatchedPage } from './support/browser.ts';
import { openConsoleScene, type ConsoleScene } from './support/scene.ts';

describe('signing in to the console at an identity provider', function () {
  this.timeout(60_000);
  let scene: ConsoleScene;
  let certificate: Certificate;
  let provider: Provider;

  before(async function () {
    this.timeout(600_000);
    const [port = 0] = await findFreePorts(1);
    scene = await openConsoleScene({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
    await scene.sealift.start('settings', startSettingsWorker);
    certificate = await createCertificate('localhost');
    provider = await startProvider(certificate, scene.sealift.url);
    const attributes = {
      enabled: true,
      'idp-cert': certificate.cert,
      'sso-endpoint-url': `${provider.url}/sso`,
      'slo-endpoint-url': `${provider.url}/slo`,
    };
    const saml = await scene.sealift.client.patch('/api/v2/admin/saml-settings', { data: { attributes } });
    expect(saml.status, saml.text).to.equal(200);
    await scene.sealift.client.patch('/api/v2/admin/customization-settings', {
      data: { attributes: { 'login-help': 'Ask the platform team. <b>Now</b>' } },
    });
  });

  after(async () => {
    await scene.close();
    await provider.stop();
  });

  const open = (attributes: Record<string, string[]> = {}): Promise<WatchedPage> => {
    provider.attributes = attributes;
    return openPage(scene.browser, scene.sealift.url, { ignoreHTTPSErrors: true });
  };
  const ownFaults = ({ faults }: WatchedPage) => faults.filter((fault) => !fault.includes(provider.url));

  it('a person signs in at the provider, gets a session, and no address ever held a token', async () => {
    const watched = await open({ SiteAdmin: ['true'] });
    const { page, context } = watched;
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.goto(scene.url);
    await page.getByText('Ask the platform team. <b>Now</b>').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByText('saml-ada').waitFor();
    expect(page.url()).to.equal(scene.url);
    expect(addresses.join(' ')).to.not.match(/slt\.|sls\./);
    const names = (await context.cookies(scene.url)).map(({ name, httpOnly }) => [
      name.slice(0, 13),
      httpOnly,
    ]);
    expect(names).to.have.length(1);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'General settings' }).waitFor();
    expect(ownFaults(watched)).to.deep.equal([]);
    await context.close();
  });

  it('a person without a right to syncing reads which right is missing, as a rule to copy', async () => {
    const watched = await open();
    const { page, context } = watched;
    await page.goto(scene.url);
    await page.getByRole('link', { name: 'Single sign-on' }).click();
    await page.getByText('path "sys/sync/summary"').waitFor();
    await page.getByText('capabilities = ["read"]').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(ownFaults(watched)).to.deep.equal([]);
    await context.close();
  });

  it('whoever comes back without having begun is told to begin again', async () => {
    const { page, context } = await openPage(scene.browser, scene.sealift.url);
    await page.goto(`${scene.url}signing-in`);
    await page.getByText('No sign-in at the identity provider waits for this browser').waitFor();
    await page.getByRole('link', { name: 'Single sign-on' }).waitFor();
    await context.close();
  });
});

/** An identity provider with a person who is already signed in; `attributes` are its facts about the person. */
type Provider = { url: string; attributes: Record<string, string[]>; stop: () => Promise<void> };

// Its page posts the answer by itself, like real providers do.
async function startProvider(certificate: Certificate, base: string): Promise<Provider> {
  const consumer = `${base}/users/saml/auth`;
  const provider: Provider = { url: '', attributes: {}, stop: () => Promise.resolve() };
  const server = createServer(certificate, (request, reply) => {
    const packed = new URL(request.url ?? '', provider.url).searchParams.get('SAMLRequest') ?? '';
    const samlRequest = inflateRawSync(Buffer.from(packed, 'base64')).toString();
    const answer = createResponse(certificate, {
      inResponseTo: /\sID="([^"]+)"/.exec(samlRequest)?.[1] ?? '',
      recipient: consumer,
      destination: consumer,
      audience: `${base}/users/saml/metadata`,
      attributes: provider.attributes,
    });
    reply.setHeader('Content-Type', 'text/html');
    reply.end(`<form method="post" action="${consumer}"><input name="SAMLResponse" value="${answer}"></form>
      <script>document.forms[0].submit()</script>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.url = `https://localhost:${(server.address() as AddressInfo).port}`;
  provider.stop = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return provider;
}
