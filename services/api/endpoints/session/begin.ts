import { badRequest, permissionDenied } from '../../../../libs/errors/request-error.ts';
import { createSession } from '../../../../libs/store/access/sessions.ts';
import { cookieName, csrfOf, setCookie, type Browser } from '../../access/browser.ts';
import { browserWords } from './browser-words.ts';
import { findSessionCaller } from '../../access/caller.ts';
import { presentSession } from '../../presenters/session.ts';
import type { ApiRequest } from '../../routing/endpoint.ts';

/** Throws if the browser must not get a session by this request; `isLink`: other sites may link to this request. */
export function refuseUnsafeBrowser(request: ApiRequest, { isLink = false } = {}): Browser {
  const { services } = request;
  const browser = request.browser();
  if (services.config.CONSOLE === 'off') throw badRequest('browser sessions are disabled: CONSOLE is off');
  if (!isLink && !browser.isSameOrigin)
    throw permissionDenied('a session can be started only from a page of this address');
  if (!browser.isSecure && !browser.isLoopback && !services.config.CONSOLE_ALLOW_HTTP) {
    throw permissionDenied(
      'over plain http, anybody on the network could take over the session: use https, or ask the operator to set CONSOLE_ALLOW_HTTP',
    );
  }
  return browser;
}

/** Begins a session of the calling browser for a token; `cookies` are set beside the session cookie. */
export async function beginSession(request: ApiRequest, tokenId: number, cookies: string[] = []) {
  const { db, installation } = request.services;
  const browser = request.browser();
  const secret = await createSession(db, installation.hashKey, {
    tokenId,
    ...browserWords(request.header('user-agent')),
    address: request.address,
  });
  const begun = await findSessionCaller(db, installation.hashKey, secret);
  if (!begun) throw permissionDenied('the token has expired');
  return {
    status: 200,
    data: presentSession(begun, csrfOf(installation.hashKey, secret)),
    headers: { 'Set-Cookie': [setCookie(cookieName(installation, browser), secret, browser), ...cookies] },
  };
}
