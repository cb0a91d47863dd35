import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import type { Certificate } from './certificates.ts';

export const CONSUMER = 'https://sealift.example/users/saml/auth';
export const AUDIENCE = 'https://sealift.example/users/saml/metadata';

export type AssertionOptions = {
  username?: string | string[];
  /** Further attributes. Values are raw XML. */
  attributes?: Record<string, string[]>;
  recipient?: string;
  audience?: string | null;
  destination?: string;
  inResponseTo?: string;
  /** The envelope's InResponseTo, if it differs. */
  responseInResponseTo?: string | null;
  /** Seconds from now. */
  notBefore?: number;
  notOnOrAfter?: number;
  confirmedUntil?: number;
  sign?: 'assertion' | 'response' | 'both' | 'nothing';
  /** Which part of the signature uses SHA-1. */
  sha1?: 'signature' | 'digest';
  /** Changes the assertion before it is signed. */
  prepare?: (assertion: string) => string;
};

/** The response that an identity provider with this certificate would post, in base64. */
export function createResponse(certificate: Certificate, options: AssertionOptions = {}): string {
  return encode(createResponseXml(certificate, options));
}

export function encode(xml: string): string {
  return Buffer.from(xml).toString('base64');
}

/** The same as XML text. */
export function createResponseXml(certificate: Certificate, options: AssertionOptions = {}): string {
  const sign = options.sign ?? 'assertion';
  const plain = (options.prepare ?? ((assertion) => assertion))(createAssertion(options));
  const assertion =
    sign === 'assertion' || sign === 'both'
      ? signElement(plain, 'Assertion', certificate, options.sha1)
      : plain;
  const answers =
    options.responseInResponseTo === undefined ? options.inResponseTo : options.responseInResponseTo;
  const response =
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${newId()}" Version="2.0"` +
    ` IssueInstant="${timeIn(0)}" Destination="${options.destination ?? CONSUMER}"${attribute('InResponseTo', answers)}>` +
    `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>` +
    `${assertion}</samlp:Response>`;
  return sign === 'response' || sign === 'both'
    ? signElement(response, 'Response', certificate, options.sha1)
    : response;
}

function createAssertion(options: AssertionOptions): string {
  const audience = options.audience === undefined ? AUDIENCE : options.audience;
  const attributes = { Username: [options.username ?? 'ada'].flat(), ...options.attributes };
  return (
    `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${newId()}" Version="2.0" IssueInstant="${timeIn(0)}">` +
    `<saml:Issuer>https://idp.example</saml:Issuer>` +
    `<saml:Subject><saml:NameID>someone</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer">` +
    `<saml:SubjectConfirmationData Recipient="${options.recipient ?? CONSUMER}"` +
    ` NotOnOrAfter="${timeIn(options.confirmedUntil ?? options.notOnOrAfter ?? 300)}"${attribute('InResponseTo', options.inResponseTo)}/>` +
    `</saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${timeIn(options.notBefore ?? -5)}" NotOnOrAfter="${timeIn(options.notOnOrAfter ?? 300)}">` +
    (audience === null
      ? ''
      : `<saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction>`) +
    `</saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${timeIn(0)}"/>` +
    `<saml:AttributeStatement>${Object.entries(attributes).map(attributeXml).join('')}</saml:AttributeStatement>` +
    `</saml:Assertion>`
  );
}

function attributeXml([name, values]: [string, string[]]): string {
  const inner = values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('');
  return `<saml:Attribute Name="${name}">${inner}</saml:Attribute>`;
}

/** Signs the element and adds the signature to it. */
function signElement(
  xml: string,
  name: 'Assertion' | 'Response',
  { key }: Certificate,
  sha1: AssertionOptions['sha1'],
): string {
  const path = `//*[local-name(.)='${name}']`;
  const signer = new SignedXml({
    privateKey: key,
    signatureAlgorithm:
      sha1 === 'signature'
        ? 'http://www.w3.org/2000/09/xmldsig#rsa-sha1'
        : 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signer.addReference({
    xpath: path,
    digestAlgorithm:
      sha1 === 'digest'
        ? 'http://www.w3.org/2000/09/xmldsig#sha1'
        : 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  });
  signer.computeSignature(xml, { location: { reference: path, action: 'append' } });
  return signer.getSignedXml();
}

function newId(): string {
  return `_${randomBytes(16).toString('hex')}`;
}

function timeIn(seconds: number): string {
  return new Date(Date.now() + seconds * 1000).toISOString();
}

function attribute(name: string, value: string | null | undefined): string {
  return value === undefined || value === null ? '' : ` ${name}="${value}"`;
}

/** A response whose assertion is encrypted to a certificate, in base64. */
export function encryptAssertion(assertion: string, { cert }: Certificate): string {
  const [key, iv] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const sealed = Buffer.concat([iv, cipher.update(assertion), cipher.final(), cipher.getAuthTag()]);
  const wrapped = publicEncrypt({ key: cert, padding: constants.RSA_PKCS1_OAEP_PADDING }, key);
  const data = (value: Buffer): string =>
    `<xenc:CipherData><xenc:CipherValue>${value.toString('base64')}</xenc:CipherValue></xenc:CipherData>`;
  const method = (name: string): string => `<xenc:EncryptionMethod Algorithm="http://www.w3.org/${name}"/>`;
  return encode(
    `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${newId()}" Version="2.0">` +
      `<samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status>` +
      `<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">` +
      `<xenc:EncryptedData xmlns:xenc="http://www.w3.org/2001/04/xmlenc#">${method('2009/xmlenc11#aes256-gcm')}` +
      `<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey>` +
      `${method('2001/04/xmlenc#rsa-oaep-mgf1p')}${data(wrapped)}</xenc:EncryptedKey></KeyInfo>` +
      `${data(sealed)}</xenc:EncryptedData></saml:EncryptedAssertion></samlp:Response>`,
  );
}
