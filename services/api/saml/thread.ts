import { SAML, type SamlConfig } from '@node-saml/node-saml';
import { decryptXml, parseDomFromString, xpath } from '@node-saml/node-saml/lib/xml.js';
import workerpool from 'workerpool';
import { RequestError } from '../../../libs/errors/request-error.ts';
import { readAssertion, type Assertion } from './assertion.ts';
import { refuseLogin } from './refuse-login.ts';
import { scanXml } from './scan-xml.ts';

/** An answer of the identity provider, whose XML passed the scan, and what the library needs to verify it. */
export type Task = { encoded: string; options: SamlConfig };

/** What an answer says. The signature covered the assertion, but not the parts beside it. */
export type VerifiedXml = {
  assertion: Assertion;
  inResponseTo: string | undefined;
  destination: string | undefined;
};

/** An error loses its class on the way between threads, so a refusal is a result. */
export type Finding =
  { verified: VerifiedXml } | { refusal: { status: number; code: string; detail: string } };

/** What we use of a parsed XML document. The library declares it as a document of a browser. */
type XmlDocument = { documentElement: { getAttribute: (name: string) => string } };

/** Parses and verifies an answer. Runs in a thread of its own, because both take long for an answer at the limits. */
async function verify({ encoded, options }: Task): Promise<Finding> {
  try {
    return { verified: await verifyAnswer(encoded, options) };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    const { status, code, problems } = error;
    return { refusal: { status, code, detail: problems[0]?.detail ?? '' } };
  }
}

async function verifyAnswer(encoded: string, options: SamlConfig): Promise<VerifiedXml> {
  const document = await readDocument(encoded);
  await scanEncrypted(document, options);
  const { profile } = await new SAML(options)
    .validatePostResponseAsync({ SAMLResponse: encoded })
    .catch((error: unknown) => refuseLogin(reasonOf(error)));
  if (!profile?.getAssertion) return refuseLogin('it contains no assertion');
  const answered = profile['inResponseTo'];
  return {
    assertion: readAssertion(profile.getAssertion()),
    inResponseTo: typeof answered === 'string' ? answered : undefined,
    destination: document.documentElement.getAttribute('Destination') || undefined,
  };
}

function readDocument(encoded: string): Promise<XmlDocument> {
  const xml = Buffer.from(encoded, 'base64').toString('utf8');
  return (parseDomFromString(xml) as Promise<XmlDocument>).catch(() => refuseLogin('it is not well formed'));
}

// Anybody can encrypt to us. The library has no hook between decryption and parser, so we decrypt and scan first.
async function scanEncrypted(document: XmlDocument, { decryptionPvk }: SamlConfig): Promise<void> {
  const path = "/*[local-name()='Response']/*[local-name()='EncryptedAssertion']";
  const [encrypted, ...others] = xpath.selectElements(document, path) as {
    toString: () => string;
  }[];
  if (!encrypted || !decryptionPvk) return;
  if (others.length > 0) return refuseLogin('it contains more than one assertion');
  const xml = await decryptXml(encrypted.toString(), decryptionPvk).catch(() =>
    refuseLogin('it is not encrypted with our certificate'),
  );
  scanXml(xml);
}

// The library's errors differ only in their texts. So we use the texts for what people read, and decide nothing by them.
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  if (/expired|not yet valid|too old/.test(message)) return 'it is expired or not yet valid';
  if (/audience/i.test(message)) return 'it is for another service';
  if (/provider returned/.test(message)) return 'the identity provider reported a failure';
  return 'it is not well formed or not signed by the identity provider';
}

workerpool.worker({ verify });
