import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { samlSettings, type SamlSettings } from '../../../../libs/settings/saml.ts';
import { endpoint, type ApiRequest, type Endpoint, type Reply } from '../../routing/endpoint.ts';
import { beginLogin, finishLogin } from '../../saml/login.ts';
import { wantsPage } from '../../saml/page.ts';
import { createMetadata } from '../../saml/provider.ts';

/** Single sign-on for people. Without a token, since it is where one comes from. */
export const samlEndpoints: Endpoint[] = [
  ...['/users/saml/metadata', '/users/saml/metadata.xml'].map((path) =>
    endpoint({
      method: 'GET',
      path,
      access: 'public',
      summary: 'What a SAML identity provider must know of this service',
      handle: presentMetadata,
    }),
  ),
  endpoint({
    method: 'GET',
    path: '/users/saml/login',
    access: 'public',
    summary: 'Begins a login at the SAML identity provider',
    handle: ({ services }) => beginLogin(services),
  }),
  endpoint({
    method: 'POST',
    path: '/users/saml/auth',
    access: 'public',
    summary: 'Takes the answer of the SAML identity provider and gives a session token',
    describedBody: Type.Object({
      SAMLResponse: Type.String({ sensitive: true, description: 'The signed answer in Base64.' }),
    }),
    handle: (request) => {
      const encoded = new URLSearchParams(request.rawBody).get('SAMLResponse');
      if (!encoded) throw badRequest('SAMLResponse is required, in a form');
      return finishLogin(request.services, { encoded, wantsJson: !wantsPage(request.header('accept')) });
    },
  }),
];

async function presentMetadata({ services }: ApiRequest): Promise<Reply> {
  const { attributes } = await loadDocument(services, samlSettings);
  const body = await createMetadata(attributes as SamlSettings, services.config);
  return { status: 200, plain: { type: 'application/samlmetadata+xml', body } };
}
