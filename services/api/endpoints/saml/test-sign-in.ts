import { Type } from 'typebox';
import { badRequest } from '../../../../libs/errors/request-error.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { samlSettings } from '../../../../libs/settings/saml.ts';
import { signInTestAnswer } from '../../contract/administration.ts';
import { endpoint, ok, type Endpoint } from '../../routing/endpoint.ts';
import { beginLogin } from '../../saml/login.ts';

/** A sign-in that only shows what comes of it. */
export const samlTestEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: '/api/v2/admin/saml-settings/actions/test-sign-in',
    access: 'policy',
    summary:
      'Start a test of single sign-on: open the address in a browser within ten minutes. It ends with a page that shows what the identity provider says of the person, and gives no token',
    answers: { 200: { data: signInTestAnswer } },
    // It takes no document. If a client sends one anyway, it must be valid.
    body: Type.Object({ data: Type.Optional(Type.Unsafe({ type: ['object', 'null'] })) }),
    handle: async ({ services }) => {
      const { attributes } = await loadDocument(services, samlSettings);
      if (!attributes['enabled'])
        throw badRequest('single sign-on is not enabled: set enabled, and the settings that it needs, first');
      const address = await beginLogin(services, { namespace: null, isTest: true });
      return ok({ data: { type: 'saml-sign-in-tests', attributes: { 'sign-in-url': address } } });
    },
  }),
];
