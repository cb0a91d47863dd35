import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { createSession, deleteSession } from '../../../../libs/store/access/sessions.ts';
import { cookieName, csrfOf, readCookie, setCookie } from '../../access/browser.ts';
import { findSessionCaller } from '../../access/caller.ts';
import { presentSession } from '../../presenters/session.ts';
import { endpoint, noContent, type ApiRequest, type Endpoint, type Reply } from '../../routing/endpoint.ts';

const PATH = '/auth/session';

/** Sessions of browsers: a cookie that acts for a token, so that no page keeps the token itself. */
export const sessionEndpoints: Endpoint[] = [
  endpoint({
    method: 'POST',
    path: PATH,
    access: 'token',
    summary: 'Begin a session of a browser for the token that is shown; the answer sets its cookie',
    handle: beginSession,
  }),
  endpoint({
    method: 'GET',
    path: PATH,
    access: 'public',
    summary: "Read the session of the browser's cookie, with what its pages must send in `X-Sealift-CSRF`",
    handle: async (request) => {
      const { services, header } = request;
      const { installation, db, config } = services;
      const secret = readCookie(header('cookie'), cookieName(installation, request.browser()));
      const caller =
        secret && config.CONSOLE === 'on' && (await findSessionCaller(db, installation.hashKey, secret));
      // Not an error: it is how a page learns that somebody has to sign in.
      if (!secret || !caller) return { status: 204 };
      return { status: 200, data: presentSession(caller, csrfOf(installation.hashKey, secret)) };
    },
  }),
  endpoint({
    method: 'DELETE',
    path: PATH,
    access: 'token',
    summary: 'End the session of the browser that asks; none to end is success',
    handle: async (request) => {
      const { services, caller } = request;
      if (!caller.session) return noContent();
      await deleteSession(services.db, caller.session.id);
      const browser = request.browser();
      const gone = setCookie(cookieName(services.installation, browser), '', browser);
      return { status: 204, headers: { 'Set-Cookie': gone } };
    },
  }),
];

async function beginSession(request: ApiRequest): Promise<Reply> {
  const { services, caller } = request;
  const { db, installation, config } = services;
  const browser = request.browser();
  if (config.CONSOLE === 'off') throw badRequest('there are no sessions here: CONSOLE is off');
  if (caller.session) throw badRequest('a session begins with a token: send it in the header Authorization');
  if (!browser.isSameOrigin) throw permissionDenied('a session begins on a page of this very address only');
  if (!browser.isSecure && !browser.isLoopback && !config.CONSOLE_ALLOW_HTTP) {
    throw permissionDenied(
      'over plain http anybody on the network could take the session over: use https, or let the operator set CONSOLE_ALLOW_HTTP',
    );
  }
  // Each request of a page would be a use.
  if (caller.token.uses_left !== null)
    throw badRequest('a token with a number of uses cannot have a session');
  const secret = await createSession(db, installation.hashKey, caller.token.id);
  const begun = await findSessionCaller(db, installation.hashKey, secret);
  if (!begun) throw permissionDenied('the token has ended');
  return {
    status: 200,
    data: presentSession(begun, csrfOf(installation.hashKey, secret)),
    headers: { 'Set-Cookie': setCookie(cookieName(installation, browser), secret, browser) },
  };
}
