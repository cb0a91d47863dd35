import { badRequest } from '../../../../libs/errors/request-error.ts';
import { loadCustomization, supportAddressOf } from '../../../../libs/settings/customization.ts';
import { loadDocument } from '../../../../libs/settings/documents.ts';
import { samlSettings, type SamlSettings } from '../../../../libs/settings/saml.ts';
import { deleteSession } from '../../../../libs/store/access/sessions.ts';
import { deleteToken } from '../../../../libs/store/access/tokens.ts';
import { isWrapping } from '../../audit/who.ts';
import { cookieName, csrfOf, readCookie, setCookie } from '../../access/browser.ts';
import { findSessionCaller } from '../../access/caller.ts';
import {
  sessionAnswer,
  signInMethodsAnswer,
  welcomeAnswer,
  type SignInMethodsAnswer,
  type WelcomeAnswer,
} from '../../contract/sessions.ts';
import { presentSession } from '../../presenters/session.ts';
import { endpoint, noContent, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { CONSOLE_TOKEN_PATH } from '../../saml/login.ts';
import { beginSession, refuseUnsafeBrowser } from './begin.ts';
import { samlSessionEndpoints } from './saml-session.ts';

const PATH = '/auth/session';

/** Browser sessions: a cookie acts for a token, so that no page keeps the token itself. */
export const sessionEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'token',
    summary: "Start a browser session for the caller's token; the answer sets the cookie",
    answers: { 200: { data: sessionAnswer } },
    handle: exchangeToken,
  }),
  ...samlSessionEndpoints,
  endpoint({
    method: 'GET',
    path: `${PATH}/methods`,
    access: 'public',
    summary: "Read the available ways to sign in, and the operator's help text",
    answers: { 200: { data: signInMethodsAnswer } },
    handle: async ({ services }) => {
      const { attributes } = await loadDocument(services, samlSettings);
      const texts = await loadCustomization(services);
      const data: SignInMethodsAnswer = {
        saml: (attributes as SamlSettings).enabled,
        help: texts['login-help'],
        support: supportAddressOf(texts) ?? null,
      };
      return { status: 200, data };
    },
  }),
  endpoint({
    method: 'GET',
    path: `${PATH}/welcome`,
    access: 'token',
    summary: "Read the operator's text for people who have signed in and have no rights yet",
    answers: { 200: { data: welcomeAnswer } },
    handle: async ({ services }) => {
      const texts = await loadCustomization(services);
      const data: WelcomeAnswer = { text: texts['new-user'], support: supportAddressOf(texts) ?? null };
      return { status: 200, data };
    },
  }),
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'public',
    summary: "Read the browser's session, with the value that its pages must send in `X-Sealift-CSRF`",
    answers: { 200: { data: sessionAnswer }, 204: {} },
    handle: async (request) => {
      const { services, header } = request;
      const { installation, db, config } = services;
      const secret = readCookie(header('cookie'), cookieName(installation, request.browser()));
      const caller =
        secret && config.CONSOLE === 'on' && (await findSessionCaller(db, installation.hashKey, secret));
      // Not an error: this tells a page that the user must sign in.
      if (!secret || !caller) return { status: 204 };
      return { status: 200, data: presentSession(caller, csrfOf(installation.hashKey, secret)) };
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'token',
    summary: "End the browser's own session; succeeds if there is none",
    answers: { 204: {} },
    handle: async (request) => {
      const { services, caller } = request;
      if (!caller.session) return noContent();
      await deleteSession(services.db, caller.session.id);
      // Only this session has the token.
      if (caller.token.path === CONSOLE_TOKEN_PATH) await deleteToken(services.db, caller.token.id);
      const browser = request.browser();
      const gone = setCookie(cookieName(services.installation, browser), '', browser);
      return { status: 204, headers: { 'Set-Cookie': gone } };
    },
  }),
];

async function exchangeToken(request: ApiRequest) {
  const { caller } = request;
  refuseUnsafeBrowser(request);
  if (caller.session) throw badRequest('a session needs a token: send it in the header Authorization');
  // Each request of a page would count as a use.
  if (caller.token.uses_left !== null)
    throw badRequest('a token with a number of uses cannot have a session');
  if (isWrapping(caller.token))
    throw badRequest(
      'a wrapping token cannot have a session: fetch the answer that it holds (sys/wrapping/unwrap)',
    );
  return beginSession(request, caller.token.id);
}
