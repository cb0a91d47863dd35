// The browser's own DOMParser counts as a sink for HTML, which our content security policy closes.
import { DOMParser } from '@xmldom/xmldom';

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#';
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';
const MOST_LETTERS = 1024 * 1024;

/** What an identity provider says of itself. `signIn`: its address for HTTP-Redirect; certificates are DER in base64. */
export type IdpMetadata = {
  entity: string;
  signIn: string | null;
  signOut: string | null;
  certificates: string[];
};

/** Reads the metadata of one identity provider. A fault says why they are not, and what to do. */
export function readMetadata(given: string): IdpMetadata | { fault: string } {
  const text = given.replace(/^\uFEFF/, '').trim();
  const fault = faultOfText(text);
  if (fault !== null) return { fault };
  const root = parse(text);
  if (!root)
    return { fault: 'This is not well-formed XML. Download the file again, and load the whole of it.' };
  const provider = findProvider(root);
  return provider instanceof Error ? { fault: provider.message } : describe(provider);
}

function faultOfText(text: string): string | null {
  if (text === '') return 'Load a file, or paste the metadata.';
  if (text.length > MOST_LETTERS)
    return 'Metadata may have at most 1 MiB. Load those of one identity provider.';
  if (/^https?:/.test(text))
    return 'This is an address. Open it in your browser, and save what it shows as a file.';
  if (text.includes('-----BEGIN')) return 'This is a certificate. Load it at the field for the certificate.';
  if (!text.startsWith('<')) return 'This is not XML. Load the metadata file of the identity provider.';
  // It could define entities, and metadata need none.
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text))
    return 'This has a document type (DOCTYPE), which metadata never have.';
  return null;
}

function parse(text: string): Element | null {
  const refuse = (_level: string, message: unknown): never => {
    throw new Error(String(message));
  };
  try {
    return new DOMParser({ errorHandler: refuse }).parseFromString(text, 'text/xml').documentElement;
  } catch {
    return null;
  }
}

// The element of the only identity provider.
function findProvider(root: Element): Element | Error {
  const name = root.localName;
  if (root.namespaceURI !== METADATA || !['EntityDescriptor', 'EntitiesDescriptor'].includes(name))
    return new Error(
      `This is XML, but no SAML metadata: it begins with “${name}”, not with “EntityDescriptor”.`,
    );
  const providers = [...list(root.getElementsByTagNameNS(METADATA, 'IDPSSODescriptor'))];
  const [only, ...others] = providers;
  if (only && others.length === 0) return only;
  if (only)
    return new Error(
      `These are the metadata of ${providers.length} identity providers. Load those of the one that people sign in at.`,
    );
  const isOurs = root.getElementsByTagNameNS(METADATA, 'SPSSODescriptor').length > 0;
  return new Error(
    isOurs
      ? 'These are the metadata of a service provider, as Sealift is one. Load those of the identity provider.'
      : 'These metadata name no identity provider.',
  );
}

function describe(provider: Element): IdpMetadata {
  const services = (name: string): Element[] => childrenOf(provider, METADATA, name);
  const isRedirect = (service: Element): boolean => service.getAttribute('Binding') === REDIRECT;
  const signOut = services('SingleLogoutService');
  const entity = provider.parentNode as Element;
  return {
    entity: entity.getAttribute('entityID') ?? '',
    signIn: locationOf(services('SingleSignOnService').find(isRedirect)),
    signOut: locationOf(signOut.find(isRedirect) ?? signOut[0]),
    certificates: [...new Set(services('KeyDescriptor').flatMap(signingCertificate))],
  };
}

function locationOf(service: Element | undefined): string | null {
  return service?.getAttribute('Location')?.trim() || null;
}

// A key without a use is for signatures too. Of a chain, the first certificate is that of the key.
function signingCertificate(key: Element): string[] {
  if (!['signing', ''].includes(key.getAttribute('use') ?? '')) return [];
  const [first] = list(key.getElementsByTagNameNS(SIGNATURE, 'X509Certificate'));
  const base64 = (first?.textContent ?? '').replaceAll(/\s/g, '');
  return base64 === '' ? [] : [base64];
}

function childrenOf(parent: Element, namespace: string, name: string): Element[] {
  return list(parent.getElementsByTagNameNS(namespace, name)).filter((one) => one.parentNode === parent);
}

function list(found: HTMLCollectionOf<Element> | HTMLCollection): Element[] {
  return Array.from({ length: found.length }, (_, index) => found.item(index)).filter((one) => one !== null);
}
