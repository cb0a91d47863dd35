import { Type, type Static } from 'typebox';
import { permissionDenied } from '../../../../libs/errors/request-error.ts';
import { LONGEST_NAMESPACE_PATH } from '../../../../libs/store/access/namespaces.ts';
import { createToken, findTokenByAccessor, type NewToken } from '../../../../libs/store/access/tokens.ts';
import {
  findPendingSession,
  takePendingSession,
  type PendingToken,
} from '../../../../libs/store/settings/saml.ts';
import { answerCookieName, nonceCookieName, readCookie, setCookie } from '../../access/browser.ts';
import { namespaceChoiceAnswer, sessionAnswer } from '../../contract/sessions.ts';
import { endpoint, ok, type ApiRequest, type Endpoint } from '../../routing/endpoint.ts';
import { whoHasLoggedIn } from '../../saml/login.ts';
import { namespaceIn } from '../../saml/named-namespace.ts';
import { hashBoth, hashNonce } from '../../saml/waiting-session.ts';
import { beginSession, refuseUnsafeBrowser } from './begin.ts';

const PATH = '/auth/session/saml';

const body = Type.Object({
  namespace: Type.Optional(
    Type.String({
      maxLength: LONGEST_NAMESPACE_PATH,
      description: 'One of those to choose from. Default: the first of them.',
    }),
  ),
});

/** The end of a SAML login in a browser. Our own page sends these requests, so that the browser sends its cookies. */
export const samlSessionEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'public',
    summary: 'Read the namespaces to choose from after a SAML login; the cookies of that login are required',
    answers: { 200: { data: namespaceChoiceAnswer } },
    handle: async (request) => {
      const { hash } = nonceOf(request);
      const waiting = hash && (await findPendingSession(request.services.db, hash));
      const choices = waiting ? (waiting.choices ?? []) : refuseUnbegun();
      return ok({ namespaces: choices.map(({ path }) => (path === '' ? '' : `${path}/`)) });
    },
  }),
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'public',
    summary: 'Start the browser session after a SAML login; the cookies of that login are required',
    answers: { 200: { data: sessionAnswer } },
    body,
    handle: exchangeNonce,
  }),
];

function nonceOf(request: ApiRequest) {
  const { services, header } = request;
  const browser = refuseUnsafeBrowser(request);
  const names = [
    nonceCookieName(services.installation, browser),
    answerCookieName(services.installation, browser),
  ];
  const [nonce, answerNonce] = names.map((name) => readCookie(header('cookie'), name));
  return {
    hash: nonce && answerNonce && hashBoth(services, hashNonce(services, nonce), answerNonce),
    gone: names.map((name) => setCookie(name, '', browser)),
  };
}

function refuseUnbegun(): never {
  throw permissionDenied('no sign-in at the identity provider waits for this browser: start it again');
}

async function exchangeNonce(request: ApiRequest<Static<typeof body>>) {
  const { db, installation } = request.services;
  const { hash, gone } = nonceOf(request);
  const waiting = hash && (await findPendingSession(db, hash));
  if (!waiting) return refuseUnbegun();
  const token = chosenOf(waiting, request.body.namespace);
  if (!(await takePendingSession(db, hash))) return refuseUnbegun();
  await request.identified({ ...whoHasLoggedIn(token), authMethod: 'saml-session' });
  const { accessor } = await createToken(db, installation.hashKey, token);
  const made = await findTokenByAccessor(db, accessor);
  if (!made) throw permissionDenied('the token has expired');
  return beginSession(request, made.id, gone);
}

// The token as it is, or with the rights in another namespace.
function chosenOf({ choices = [], ...token }: PendingToken, named: string | undefined): NewToken {
  if (named === undefined) return token;
  const chosen = choices.find(({ path }) => path === namespaceIn(named));
  if (!chosen) throw permissionDenied('this sign-in has no such namespace to choose from');
  return { ...token, namespaceId: chosen.namespaceId, policies: chosen.policies };
}
