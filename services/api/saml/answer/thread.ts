import { SAML, type SamlConfig } from '@node-saml/node-saml';
import { decryptXml, parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js';
import workerpool from 'workerpool';
import type { ErrorCode } from '../../../../libs/errors/codes.ts';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import { readAssertion, type Assertion } from './assertion.ts';
import { RefusedLogin, refuseLogin, type LoginFault, type Reported } from '../refuse-login.ts';
import { scanXml } from './scan-xml.ts';

/** An answer of the identity provider, whose XML passed the scan, and what the library needs to verify it. */
export type Task = { encoded: string; options: SamlConfig; acceptsSha1: boolean };

/** What an answer says. The signature covered the assertion, but not the parts beside it. */
export type VerifiedXml = {
  assertion: Assertion;
  inResponseTo: string | undefined;
  destination: string | undefined;
};

/** An error loses its class on the way between threads, so a refusal is a result. */
export type VerificationResult =
  | { verified: VerifiedXml }
  | { refusal: { code: ErrorCode; detail: string; fault?: LoginFault; reported?: Reported } };

// Of what an identity provider says about a failure.
const MOST_CODES = 4;
const MOST_LETTERS = 300;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** What we use of a parsed XML document. The library declares it as a document of a browser. */
type XmlDocument = { documentElement: { getAttribute: (name: string) => string } };

/** Parses and verifies an answer. Runs in a thread of its own, because both take long for an answer at the limits. */
async function verify(task: Task): Promise<VerificationResult> {
  try {
    return { verified: await verifyAnswer(task) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { code, problems } = error;
    const { fault, reported } = error instanceof RefusedLogin ? error : {};
    const about = { ...(fault ? { fault } : {}), ...(reported ? { reported } : {}) };
    return { refusal: { code, detail: problems[0]?.detail ?? '', ...about } };
  }
}

async function verifyAnswer({ encoded, options, acceptsSha1 }: Task): Promise<VerifiedXml> {
  const document = await readDocument(Buffer.from(encoded, 'base64').toString('utf8'));
  requireSuccess(document);
  const decrypted = await decrypt(document, options);
  if (!acceptsSha1) [document, ...decrypted].forEach(refuseSha1);
  const { profile } = await new SAML(options)
    .validatePostResponseAsync({ SAMLResponse: encoded })
    .catch((error: unknown) => refuseLogin(...reasonOf(error, [document, ...decrypted], options)));
  if (!profile?.getAssertion) return refuseLogin('it contains no assertion');
  const answered = profile['inResponseTo'];
  return {
    assertion: readAssertion(profile.getAssertion()),
    inResponseTo: typeof answered === 'string' ? answered : undefined,
    destination: document.documentElement.getAttribute('Destination') || undefined,
  };
}

function readDocument(xml: string): Promise<XmlDocument> {
  return (parseDomFromString(xml) as Promise<XmlDocument>).catch(() => refuseLogin('it is not well formed'));
}

// Anybody can encrypt to us. The library has no hook between decryption and parser, so we decrypt and scan first.
async function decrypt(document: XmlDocument, { decryptionPvk }: SamlConfig): Promise<XmlDocument[]> {
  const path = "/*[local-name()='Response']/*[local-name()='EncryptedAssertion']";
  const [encrypted, ...others] = xpath.selectElements(document, path) as {
    toString: () => string;
  }[];
  if (!encrypted) return [];
  if (!decryptionPvk) return refuseLogin('it is encrypted, and the SAML settings have no private key');
  if (others.length > 0) return refuseLogin('it contains more than one assertion');
  const xml = await decryptXml(encrypted.toString(), decryptionPvk).catch(() =>
    refuseLogin('it is not encrypted with our certificate'),
  );
  scanXml(xml);
  return [await readDocument(xml)];
}

// An answer that reports a failure logs nobody in, whatever else it contains.
function requireSuccess(document: XmlDocument): void {
  const status = "/*[local-name()='Response']/*[local-name()='Status']";
  const code = `${status}/*[local-name()='StatusCode']`;
  const codes = valuesAt(document, `${code}/@Value`);
  if (codes.some((one) => one !== SUCCESS)) {
    const inner = valuesAt(document, `${code}/*[local-name()='StatusCode']/@Value`);
    const [message] = xpath.selectElements(document, `${status}/*[local-name()='StatusMessage']`) as {
      textContent: string | null;
    }[];
    refuseLogin('the identity provider reported a failure', 'reported', {
      codes: [...codes, ...inner].slice(0, MOST_CODES).map((one) => one.slice(0, MOST_LETTERS)),
      message: (message?.textContent ?? '').trim().slice(0, MOST_LETTERS),
    });
  }
  if (codes.length !== 1) refuseLogin('it does not say that the log-in succeeded');
}

function valuesAt(document: XmlDocument, path: string): string[] {
  return (xpath.selectAttributes(document, path) as { value: string }[]).map(({ value }) => value);
}

// The key of an encrypted assertion may be wrapped with SHA-1: that is no signature.
function refuseSha1(document: XmlDocument): void {
  const info = "//*[local-name()='Signature']/*[local-name()='SignedInfo']";
  const methods = [
    `${info}/*[local-name()='SignatureMethod']/@Algorithm`,
    `${info}/*[local-name()='Reference']/*[local-name()='DigestMethod']/@Algorithm`,
  ];
  const algorithms = methods.flatMap((path) => valuesAt(document, path));
  if (algorithms.some((algorithm) => /sha1$/i.test(algorithm)))
    refuseLogin('it is signed with SHA-1, which the SAML settings do not allow', 'sha1');
}

// The library's errors differ only in their texts. So we use the texts for what people read, and decide nothing by them.
function reasonOf(
  error: unknown,
  documents: XmlDocument[],
  { wantAssertionsSigned }: SamlConfig,
): [reason: string, fault: LoginFault] {
  const message = error instanceof Error ? error.message : '';
  if (/expired|not yet valid|too old/.test(message)) return ['it is expired or not yet valid', 'time'];
  if (/audience/i.test(message)) return ['it is for another service', 'audience'];
  if (/provider returned/.test(message)) return ['the identity provider reported a failure', 'reported'];
  const signed = wantAssertionsSigned ? "//*[local-name()='Assertion']" : '/';
  const isSigned = documents.some(
    (document) => xpath.selectElements(document, `${signed}/*[local-name()='Signature']`).length > 0,
  );
  return isSigned
    ? ['it is not signed by the identity provider: no accepted certificate fits its signature', 'signature']
    : [`${wantAssertionsSigned ? 'its assertion' : 'it'} is not signed`, 'unsigned'];
}

workerpool.worker({ verify });
