import { Type } from 'typebox';
import { randomToken } from '../../../../libs/crypto/fingerprint.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { samlSettings, type SamlSettings } from '../../../../libs/settings/saml.ts';
import { RequestError } from '../../../../libs/errors/request-error.ts';
import { LONGEST_NAMESPACE_PATH } from '../../../../libs/store/access/namespaces.ts';
import { namespaceIn } from '../../saml/named-namespace.ts';
import { nonceCookieName, setCookie } from '../../access/browser.ts';
import { refuseUnsafeBrowser } from '../session/begin.ts';
import { LIMITS } from '../../limits.ts';
import { endpoint, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { beginLogin, finishLogin } from '../../saml/login.ts';
import { wantsPage } from '../../saml/page.ts';
import { createMetadata } from '../../saml/provider.ts';
import { LOGIN_SECONDS } from '../../saml/waiting-session.ts';
import { loginAnswer } from '../../contract/sessions.ts';

/** Single sign-on for people. Needs no token, because its result is a token or a session. */
export const samlEndpoints: Endpoint[] = [
  ...['/users/saml/metadata', '/users/saml/metadata.xml'].map((path) =>
    endpoint({
      method: 'GET',
      path,
      access: 'public',
      summary: 'Read the SAML metadata of this service, for the identity provider',
      answers: { 200: { types: ['application/samlmetadata+xml'] } },
      handle: presentMetadata,
    }),
  ),
  endpoint({
    method: 'GET',
    path: '/users/saml/login',
    access: 'public',
    summary: 'Start a login at the SAML identity provider',
    answers: { 302: { types: ['text/plain'] } },
    query: Type.Object({
      console: Type.Optional(
        Type.Boolean({ description: 'True: the login ends with a browser session instead of a token.' }),
      ),
      namespace: Type.Optional(
        Type.String({
          maxLength: LONGEST_NAMESPACE_PATH,
          description:
            'The namespace to sign in to: the person needs a team there. Default: root; in a browser, one that the person chooses.',
        }),
      ),
    }),
    handle: async (request) => {
      const { services, query } = request;
      const namespace = query.namespace === undefined ? null : namespaceIn(query.namespace);
      if (!query.console)
        return { status: 302, headers: { Location: await beginLogin(services, { namespace }) } };
      const browser = refuseUnsafeBrowser(request, { isLink: true });
      const nonce = randomToken();
      const location = await beginLogin(services, { nonce, namespace });
      const name = nonceCookieName(services.installation, browser);
      const cookie = setCookie(name, nonce, browser, LOGIN_SECONDS);
      return { status: 302, headers: { Location: location, 'Set-Cookie': cookie } };
    },
  }),
  endpoint({
    method: 'POST',
    path: '/users/saml/auth',
    access: 'public',
    bodyBytes: LIMITS.bodyBytes.value,
    atOnce: { ofClient: LIMITS.samlAnswers, ofLarge: LIMITS.largeSamlAnswers },
    summary:
      'Accept the answer of the SAML identity provider; returns a token, or sends a browser back to the console',
    answers: {
      200: { data: loginAnswer, grants: true, types: ['text/html'] },
      303: { types: ['text/plain'] },
    },
    describedBody: Type.Object({
      SAMLResponse: Type.String({ sensitive: true, description: 'The signed answer, in base64.' }),
    }),
    handle: acceptAnswer,
  }),
];

async function acceptAnswer(request: ApiRequest) {
  const wantsJson = !wantsPage(request.header('accept'));
  try {
    return await finishLogin(request, { form: request.rawBody, wantsJson });
  } catch (error) {
    if (error instanceof RequestError && error.code === 'saml_refused')
      request.note({ reason: error.problems[0]?.detail });
    throw error;
  }
}

async function presentMetadata({ services }: ApiRequest) {
  const { attributes } = await loadDocument(services, samlSettings);
  const body = await createMetadata(attributes as SamlSettings, services.config);
  return { status: 200, plain: { type: 'application/samlmetadata+xml', body } };
}
