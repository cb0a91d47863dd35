import { createPublicKey, generateKeyPairSync, X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { createCertificate, type Certificate } from './support/certificates.ts';
import { pointersOf, startAdmin, type AdminSealift } from './support/admin.ts';

const framed = (label: string, body: string): string =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const bodyOf = (pem: string): string => pem.replace(/-----[^-]+-----/g, '').trim();
const lines = (pem: string): string[] => pem.trimEnd().split('\n');

const CERTIFICATES: [what: string, make: (own: Certificate) => string, fault: RegExp][] = [
  ['nothing', () => ' ', /is required/],
  ['two certificates', ({ cert }) => cert + cert, /holds 2 certificates: send only the one that signs/],
  ['a private key', ({ key }) => key, /is a private key: send the certificate/],
  ['a certificate and a private key', ({ cert, key }) => cert + key, /holds more than a certificate/],
  ['base64 without its frame', ({ cert }) => bodyOf(cert), /is base64 without its frame: put it between/],
  ['DER', ({ cert }) => new X509Certificate(cert).raw.toString(), /is binary .*: convert it to PEM/],
  ['a request', () => framed('CERTIFICATE REQUEST', 'MIIB'), /is a certificate signing request/],
  [
    'a public key',
    ({ key }) => createPublicKey(key).export({ type: 'spki', format: 'pem' }).toString(),
    /is a public key alone/,
  ],
  ['PKCS #7', () => framed('PKCS7', 'MIIB'), /is a PKCS #7 bundle/],
  [
    'a cut text',
    ({ cert }) => cert.slice(0, 300),
    /is cut off: the line -----END CERTIFICATE----- is missing/,
  ],
  [
    'missing lines',
    ({ cert }) => [...lines(cert).slice(0, 4), lines(cert).at(-1)].join('\n'),
    /is cut off: it has \d+ of \d+ bytes/,
  ],
  ['escaped line ends', ({ cert }) => cert.replaceAll('\n', '\\n'), /has its line ends written as \\n/],
  ['another frame', ({ cert }) => cert.replaceAll('CERTIFICATE', 'CERT'), /has the frame BEGIN CERT:/],
  ['a frame cut off', () => '-----BEGIN CERT', /is incomplete: it must be between -----BEGIN CERTIFICATE/],
  ['other dashes', ({ cert }) => cert.replaceAll('-----', '----'), /has a frame with other dashes/],
  ['letters that are not base64', ({ cert }) => cert.replace('MII', 'M*I'), /that are not base64/],
  ['damaged content', ({ cert }) => cert.replace('MII', 'AAA'), /is damaged: copy it again/],
  ['XML', ({ cert }) => `<a>${bodyOf(cert)}</a>`, /is XML: send the text of its X509Certificate/],
  ['an address', () => 'https://idp.example/cert.pem', /is an address/],
  ['a fingerprint', ({ cert }) => new X509Certificate(cert).fingerprint256, /is a fingerprint/],
  ['any text', () => 'testCert', /has no frame/],
];

const KEYS: [what: string, make: (own: Certificate) => string, fault: RegExp][] = [
  ['a certificate', ({ cert }) => cert, /is a certificate: send its private key/],
  ['a public key', () => framed('PUBLIC KEY', 'MIIB'), /is a public key: send the private key/],
  ['a key and a certificate', ({ cert, key }) => key + cert, /holds 2 PEM blocks/],
  ['base64 without its frame', ({ key }) => bodyOf(key), /is base64 without its frame/],
  ['a key of OpenSSH', () => framed('OPENSSH PRIVATE KEY', 'b3Bl'), /is in the format of OpenSSH/],
  [
    'a key with a passphrase',
    () =>
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a' })
        .toString(),
    /has a passphrase: remove it/,
  ],
  [
    'a key of another type',
    () =>
      generateKeyPairSync('ec', { namedCurve: 'P-256' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    /is a key of the type ec: it must be an RSA key/,
  ],
  ['a cut text', ({ key }) => key.slice(0, 300), /is cut off/],
  ['escaped line ends', ({ key }) => key.replaceAll('\n', '\\n'), /has its line ends written as \\n/],
];

describe('faults of certificates and keys', () => {
  let sealift: AdminSealift;
  let own: Certificate;
  let other: Certificate;

  before(async () => {
    sealift = await startAdmin();
    [own, other] = await Promise.all([createCertificate('own'), createCertificate('other')]);
  });

  after(() => sealift.stop());

  const enable = (attributes: Record<string, unknown>) =>
    sealift.change('saml', {
      enabled: true,
      'idp-cert': own.cert,
      'slo-endpoint-url': 'https://idp.example/slo',
      'sso-endpoint-url': 'https://idp.example/sso',
      ...attributes,
    });

  for (const name of ['idp-cert', 'certificate'] as const) {
    for (const [what, make, fault] of CERTIFICATES) {
      it(`the refusal of ${name} says that it is ${what}, and what to do`, async () => {
        const answer = await enable({
          'authn-requests-signed': true,
          'private-key': own.key,
          certificate: own.cert,
          [name]: make(own),
        });
        expect(answer.status, answer.text).to.equal(422);
        expect(pointersOf(answer)).to.deep.equal([`/data/attributes/${name}`]);
        expect(answer.body.errors[0].detail).to.match(fault);
      });
    }
  }

  for (const [what, make, fault] of KEYS) {
    it(`the refusal of private-key says that it is ${what}, and what to do`, async () => {
      const answer = await enable({ certificate: own.cert, 'private-key': make(own) });
      expect(answer.status, answer.text).to.equal(422);
      expect(pointersOf(answer)).to.deep.equal(['/data/attributes/private-key']);
      expect(answer.body.errors[0].detail).to.match(fault);
      expect(answer.text).not.to.contain(bodyOf(own.key).slice(0, 40));
    });
  }

  it('a private key that belongs to another certificate is refused', async () => {
    const answer = await enable({ certificate: own.cert, 'private-key': other.key });
    expect(answer.status).to.equal(422);
    expect(answer.body.errors[0].detail).to.match(/does not belong to the certificate/);
  });

  it('a private key that belongs to another certificate is told beside other faults', async () => {
    const answer = await enable({
      certificate: own.cert,
      'private-key': other.key,
      'attr-username': '',
      'idp-cert': 7,
    });
    expect(answer.status).to.equal(422);
    const faulty = ['idp-cert', 'attr-username', 'private-key'].map((name) => `/data/attributes/${name}`);
    expect(pointersOf(answer)).to.include.members(faulty);
  });

  it('line ends of Windows and a text around the frame are taken', async () => {
    const windows = (pem: string): string => `Subject: own\r\n${pem.replaceAll('\n', '\r\n')}`;
    const answer = await enable({
      'idp-cert': windows(own.cert),
      certificate: windows(own.cert),
      'private-key': windows(own.key),
    });
    expect(answer.status, answer.text).to.equal(200);
  });
});
