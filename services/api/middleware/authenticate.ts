import type { Context as KoaContext, Middleware } from 'koa';
import { findNamespace } from '../../../libs/store/access/namespaces.ts';
import { isIssuedToken } from '../../../libs/store/access/token-marks.ts';
import type { EndedToken } from '../../../libs/store/access/tokens.ts';
import { touchSession } from '../../../libs/store/access/sessions.ts';
import { isWithinCidrs } from '../access/bound-cidrs.ts';
import { BACKGROUND_HEADER } from '../access/browser.ts';
import { createCallerCache, type CallerCache } from '../access/caller-cache.ts';
import { createEndedTokens } from '../access/ended-tokens.ts';
import { limitedAddress } from '../access/client-address.ts';
import { findCaller, findSessionCaller, type Caller } from '../access/caller.ts';
import { createRefusedLookUps } from '../access/refused-look-ups.ts';
import { isLogIn } from '../http/log-in-path.ts';
import { whoIs } from '../audit/who.ts';
import type { ApiServices } from '../services.ts';
import { isExempt, tooManyRequests } from './rate-limit.ts';
import { presentedNamespace, presentedToken } from '../http/presented.ts';
import { presentedSession, withoutSession } from './session-cookie.ts';

const READS = new Set(['GET', 'LIST', 'HEAD', 'OPTIONS']);

// These paths are about the caller's own token only. If a request to them names no namespace, it is in the namespace of
// the token. So a client that was given a token can find out its namespace.
const OWN = /^auth\/(?:token\/(?:lookup|renew|revoke)-self|session)$/;

// A change below these paths may give or take rights.
const RIGHTS = /^(?:auth|users|sys\/(?:polic|namespaces|auth|internal|remount))/;

/**
 * Finds the caller and the namespace of a request. It does not refuse a request without them, since public endpoints
 * need none. But if an address sends more unknown tokens than the limit allows, we look up no more tokens for it in
 * this second and answer 429. An unknown namespace leaves the state empty; the endpoints answer that like a missing
 * right. The caller stays empty if the token is not bound to the address of the request. A browser session counts only
 * if the request has no token, and only with the header that our pages send.
 */
export function authenticate(services: ApiServices): Middleware {
  const { db, installation } = services;
  const tokens = createCallerCache((secret) => findCaller(db, installation.hashKey, secret));
  const sessions = createCallerCache((secret) => findSessionCaller(db, installation.hashKey, secret));
  const look = createLookUps(services);
  const ended = createEndedTokens(db, installation.hashKey);
  return async (ctx, next) => {
    const target = ctx.state['path'] as string;
    // Clients send an old token when they log in anew.
    const isAnonymous = isLogIn(target) || isExempt(target);
    const token = isAnonymous ? undefined : presentedToken((name) => ctx.get(name));
    const session = token || isAnonymous ? undefined : presentedSession(services, ctx);
    const secret = token ?? (session?.fault ? undefined : session?.secret);
    if (secret) {
      const caller = await look(ctx, token ? tokens : sessions, secret);
      if (caller && isWithinCidrs(ctx.ip, caller.token.bound_cidrs)) ctx.state['caller'] = caller;
      else if (caller) Object.assign(ctx.state, { refusedToken: 'wrong_address', refusedWho: whoIs(caller) });
      else Object.assign(ctx.state, refusedOf(token && (await ended(token))));
      if (caller?.session && ctx.get(BACKGROUND_HEADER) === '') await touchSession(db, caller.session);
    }
    const path = presentedNamespace((name) => ctx.get(name));
    const caller = ctx.state['caller'] as Caller | undefined;
    const own = path === '' && OWN.test(target) ? caller?.token.namespace_path : undefined;
    ctx.state['namespace'] = await findNamespace(db, own ?? (path === 'root' ? '' : path));
    try {
      await (session?.fault ? withoutSession(services, ctx, session, next) : next());
    } finally {
      // Before the answer is sent: when the client has the answer, the change is in force here. By now the path is
      // relative to its namespace.
      const changed = ctx.state['path'] as string;
      if (!READS.has(ctx.method) && RIGHTS.test(changed) && !isLogIn(changed)) {
        tokens.forget();
        sessions.forget();
      }
    }
  };
}

// Finds callers, within the limit on unknown tokens. Throws 429.
function createLookUps({ installation, rateLimit }: ApiServices) {
  const unknown = createRefusedLookUps();
  // Nobody can invent a token of ours, so a flood of invented ones does not keep these out. But a token of ours that has
  // ended keeps its mark, so these have the same limit for themselves.
  const issued = createRefusedLookUps();
  return async (ctx: KoaContext, callers: CallerCache, secret: string): Promise<Caller | undefined> => {
    if (callers.isKnown(secret)) return callers.find(secret, () => undefined);
    const limit = rateLimit.limits.site() ?? Infinity;
    const lookUps = isIssuedToken(installation.hashKey, secret) ? issued : unknown;
    const answer = await lookUps.within(limitedAddress(ctx.ip), limit, (note) => callers.find(secret, note));
    if ('waitMs' in answer) throw tooManyRequests(ctx, { limit, remaining: 0, resetMs: answer.waitMs });
    return answer.found;
  };
}

// Why a token does not count, and whose it was.
function refusedOf(token: EndedToken | '' | undefined): Record<string, unknown> {
  if (!token) return { refusedToken: 'bad_token' };
  const { accessor, display_name: actor, policies } = token;
  return { refusedToken: 'ended_token', refusedWho: { accessor, actor, authMethod: 'token', policies } };
}
