import type { Context as KoaContext, Next } from 'koa';
import { permissionDenied, RequestError } from '../../../libs/errors/request-error.ts';
import { findSession } from '../../../libs/store/access/sessions.ts';
import { findTokenByAccessor } from '../../../libs/store/access/tokens.ts';
import { browserOf, cookieName, CSRF_HEADER, isCsrf, mayAct, readCookie } from '../access/browser.ts';
import { whoIs } from '../audit/who.ts';
import type { ApiServices } from '../services.ts';

/** The session of a request's cookie, and why it does not count. */
export type PresentedSession = { secret: string; fault?: 'no_csrf' | 'foreign_page' };

/**
 * Undefined without the cookie. Other sites can make a browser send it, so it counts only with the header that our pages
 * send, and a write only from our own pages.
 */
export function presentedSession(
  { installation, config }: ApiServices,
  ctx: KoaContext,
): PresentedSession | undefined {
  if (config.CONSOLE !== 'on') return undefined;
  const browser = browserOf(ctx, config);
  const secret = readCookie(ctx.get('cookie'), cookieName(installation, browser));
  if (!secret) return undefined;
  if (!isCsrf(installation.hashKey, secret, ctx.get(CSRF_HEADER))) return { secret, fault: 'no_csrf' };
  return mayAct(ctx.method, browser) ? { secret } : { secret, fault: 'foreign_page' };
}

/**
 * Goes on without the session whose cookie does not count. A refusal tells the audit trail whose session it is; that is no
 * use of the session. Throws 403 for a write from another page.
 */
export async function withoutSession(
  { db, installation: { hashKey } }: ApiServices,
  ctx: KoaContext,
  { secret, fault }: PresentedSession,
  next: Next,
): Promise<void> {
  ctx.state['refusedToken'] = fault;
  try {
    if (fault === 'foreign_page') throw permissionDenied('a session works only for pages of this address');
    await next();
  } catch (error) {
    if (error instanceof RequestError && [401, 403].includes(error.status)) {
      const session = await findSession(db, hashKey, secret);
      const token = session && (await findTokenByAccessor(db, session.accessor));
      if (token) ctx.state['refusedWho'] = whoIs({ token, session });
      else ctx.state['refusedToken'] = 'bad_token';
    }
    throw error;
  }
}

/** What a caller is told whose cookie came without the header. */
export const NO_CSRF =
  'a session counts only with the header X-Sealift-CSRF: GET auth/session answers its value as csrf';
