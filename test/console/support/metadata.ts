import { toBase64 } from '../../settings/support/certificates.ts';

const BINDINGS = 'urn:oasis:names:tc:SAML:2.0:bindings';

/** What the metadata of an identity provider hold; certificates are PEM. */
export type MetadataParts = {
  entity?: string;
  signIn?: Record<string, string>;
  signOut?: Record<string, string>;
  keys?: { use?: string; cert: string }[];
};

/** The metadata of an identity provider, as it gives them to a service provider. Its addresses are by the names of bindings. */
export function metadataOf({
  entity = 'https://idp.example',
  signIn = {
    'HTTP-POST': 'https://idp.example/post',
    'HTTP-Redirect': 'https://idp.example/sso?a=1&amp;b=2',
  },
  signOut = { 'HTTP-POST': 'https://idp.example/slo-post', 'HTTP-Redirect': 'https://idp.example/slo' },
  keys = [],
}: MetadataParts = {}): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<!-- made for a test -->
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="${entity}">
  <md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">
    ${keys.map(keyOf).join('\n    ')}
    ${services('SingleLogoutService', signOut)}
    ${services('SingleSignOnService', signIn)}
  </md:IDPSSODescriptor>
</md:EntityDescriptor>
`;
}

function keyOf({ use, cert }: { use?: string; cert: string }): string {
  const purpose = use === undefined ? '' : ` use="${use}"`;
  return `<md:KeyDescriptor${purpose}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>
      ${toBase64(cert)}
    </ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`;
}

function services(name: string, addresses: Record<string, string>): string {
  return Object.entries(addresses)
    .map(([binding, address]) => `<md:${name} Binding="${BINDINGS}:${binding}" Location="${address}"/>`)
    .join('\n    ');
}
