import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { expect } from 'chai';
import { startSettingsWorker } from '../../../services/settings/start.ts';
import { choosePort } from '../../../deploy/local/ports.ts';
import { createCertificate, type Certificate } from '../../settings/support/certificates.ts';
import { createResponse } from '../../settings/support/identity-provider.ts';
import { openConsoleScene, type ConsoleScene } from './scene.ts';

/** An identity provider with a person who is already signed in; `attributes` are its facts about the person. */
export type Provider = { url: string; attributes: Record<string, string[]>; stop: () => Promise<void> };

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

/** A scene whose people sign in at that provider. Undo: close the scene, stop the provider. */
export async function openSamlScene(): Promise<{ scene: ConsoleScene; provider: Provider }> {
  const port = await choosePort(undefined);
  const scene = await openConsoleScene({ PORT: String(port), PUBLIC_URL: `http://127.0.0.1:${port}` });
  await scene.sealift.start('settings', startSettingsWorker);
  const certificate = await createCertificate('localhost');
  const provider = await startProvider(certificate, scene.sealift.url);
  const attributes = {
    enabled: true,
    'idp-cert': certificate.cert,
    'sso-endpoint-url': `${provider.url}/sso`,
    'slo-endpoint-url': `${provider.url}/slo`,
  };
  const saml = await scene.sealift.client.patch('/api/v2/admin/saml-settings', { data: { attributes } });
  expect(saml.status, saml.text).to.equal(200);
  return { scene, provider };
}
