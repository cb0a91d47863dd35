import { createVerify, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import { pointersOf } from './support/admin.ts';
import { createCertificate, type Certificate } from './support/certificates.ts';
import { expectLogin, startSingleSignOn, type SingleSignOn } from './support/single-sign-on.ts';

/** The forms in which people paste a PEM text. */
const PASTED: Record<string, (pem: string) => string> = {
  'a leading newline': (pem) => `\n${pem}`,
  'two trailing newlines': (pem) => `${pem.trimEnd()}\n\n`,
  'a trailing space': (pem) => `${pem.trimEnd()} `,
  'a readable preamble': (pem) => `Certificate:\n    Data:\n        Version: 3 (0x2)\n${pem}`,
  'bag attributes': (pem) =>
    `Bag Attributes\n    localKeyID: 01 \nsubject=CN = idp\n\nissuer=CN = idp\n\n${pem}`,
};

describe('certificates and keys of SAML', () => {
  let sso: SingleSignOn;
  let own: Certificate;

  before(async () => {
    sso = await startSingleSignOn();
    own = await createCertificate('sealift');
  });

  after(() => sso.sealift.stop());

  beforeEach(() => sso.sealift.forget('saml'));

  const metadata = () => sso.sealift.client.get('/users/saml/metadata', { token: null });
  const base64Of = (pem: string) => pem.replace(/-----[^-]+-----|\s/g, '');

  for (const [name, paste] of Object.entries(PASTED)) {
    it(`an identity provider's certificate with ${name} verifies log-ins`, async () => {
      const pasted = paste(sso.idp.cert);
      await sso.enable({ 'idp-cert': pasted });
      expectLogin(await sso.login());
      expect((await sso.sealift.read('saml'))['idp-cert']).to.equal(pasted);
      await sso.enable({ 'idp-cert': sso.later.cert });
      expectLogin(await sso.login());
    });

    it(`our certificate and private key with ${name} sign requests and are published`, async () => {
      await sso.enable({
        'authn-requests-signed': true,
        certificate: paste(own.cert),
        'private-key': paste(own.key),
      });
      const { status, headers } = await sso.sealift.client.get('/users/saml/login', { token: null });
      expect(status).to.equal(302);
      const [signed, signature] = new URL(String(headers['location'])).search.slice(1).split('&Signature=');
      const verifier = createVerify('RSA-SHA256').update(signed ?? '');
      expect(verifier.verify(own.cert, decodeURIComponent(signature ?? ''), 'base64')).to.equal(true);
      const { text } = await metadata();
      const published = [...text.matchAll(/<ds:X509Certificate>([^<]*)</g)].map(([, one = '']) =>
        base64Of(one),
      );
      expect(published).to.deep.equal([base64Of(own.cert), base64Of(own.cert)]);
    });
  }

  it('a text that is no certificate takes the place of no certificate that log-ins need', async () => {
    await sso.sealift.change('saml', { enabled: false, 'idp-cert': 'testIDPCertFull' });
    await sso.enable();
    expectLogin(await sso.login());
    expect((await sso.sealift.read('saml'))['old-idp-cert']).to.equal(null);
    await sso.sealift.change('saml', { enabled: false, 'idp-cert': 'testIDPCertFull' });
    await sso.enable({ 'idp-cert': sso.later.cert });
    expectLogin(await sso.login({}, sso.idp));
    expectLogin(await sso.login({}, sso.later));
  });

  it('an old text that is no certificate does not keep anybody from logging in', async () => {
    await sso.enable();
    const { db } = sso.sealift.context;
    await db.raw(
      `UPDATE settings SET attributes = (attributes::jsonb || '{"old-idp-cert": "testIDPCertFull"}')::json WHERE kind = 'saml'`,
    );
    expectLogin(await sso.login());
  });

  it('private keys that cannot sign or decrypt for SAML are refused with 422', async () => {
    const keys = [
      generateKeyPairSync('ed25519').privateKey,
      generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
      generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey,
    ];
    await sso.enable();
    for (const key of keys) {
      const pem = key.export({ type: 'pkcs8', format: 'pem' }).toString();
      const answer = await sso.sealift.change('saml', { certificate: own.cert, 'private-key': pem });
      expect(answer.status, key.asymmetricKeyType).to.equal(422);
      expect(pointersOf(answer)).to.deep.equal(['/data/attributes/private-key']);
      expect(answer.body.errors[0].detail).to.match(/RSA/);
    }
  });

  it('addresses with white space, control characters or half characters are refused with 422', async () => {
    await sso.enable();
    const bad = [' https://a.b/c', 'https://a.b/c ', 'https://a.b/c\n', 'https://a.b/\tc', 'https://a.b/ c'];
    for (const address of [...bad, 'https://a.b/\u0000', 'https://a.b/\ud800', 'https://a.b/\ufffe']) {
      for (const name of ['sso-endpoint-url', 'slo-endpoint-url']) {
        const answer = await sso.sealift.change('saml', { [name]: address });
        expect(answer.status, JSON.stringify(address)).to.equal(422);
        expect(pointersOf(answer)).to.deep.equal([`/data/attributes/${name}`]);
      }
    }
    const readable = 'https://anmeldung.example/büro?a=1&b="2"';
    expect((await sso.sealift.change('saml', { 'sso-endpoint-url': readable })).status).to.equal(200);
    expect((await sso.sealift.client.get('/users/saml/login', { token: null })).status).to.equal(302);
  });

  it('metadata leave out what is no certificate and no key while SAML is disabled', async () => {
    for (const text of ['testCert', 'a\u0000b', '<x>', '\ud800']) {
      for (const key of ['TestPrivateKeyFull', own.key]) {
        await sso.sealift.change('saml', {
          enabled: false,
          certificate: text,
          'private-key': key,
          'authn-requests-signed': true,
        });
        const { status, text: xml } = await metadata();
        expect(status, JSON.stringify(text)).to.equal(200);
        expect(xml).not.to.contain('KeyDescriptor');
      }
    }
    await sso.sealift.change('saml', { certificate: own.cert, 'private-key': 'TestPrivateKeyFull' });
    expect((await metadata()).status).to.equal(200);
  });
});
