import type { Middleware } from 'koa';
import { findNamespace } from '../../../libs/store/access/namespaces.ts';
import { isWithinCidrs } from '../access/bound-cidrs.ts';
import { createCallerCache } from '../access/caller-cache.ts';
import { createRefusedLookUps } from '../access/refused-look-ups.ts';
import type { ApiServices } from '../services.ts';
import { isExempt, tooManyRequests } from './rate-limit.ts';

const READS = new Set(['GET', 'LIST', 'HEAD', 'OPTIONS']);

// A change below these may give or take rights.
const RIGHTS = /^(?:auth|users|sys\/(?:polic|namespaces|auth|internal))/;

/**
 * Finds the caller and the namespace a request names; refuses neither, since public endpoints need none, but an address
 * whose tokens are unknown more often than the limit allows is not looked up for the rest of the second. An unknown
 * namespace leaves the state empty, which the endpoints answer like a missing right; so does an address that the token is
 * not bound to leave the caller empty.
 */
export function authenticate(services: ApiServices): Middleware {
  const callers = createCallerCache(services.db, services.installation.hashKey);
  const refused = createRefusedLookUps();
  return async (ctx, next) => {
    const secret = presentedToken((name) => ctx.get(name));
    if (secret && !isExempt(ctx.state['path'] as string)) {
      const limit = services.rateLimit.limits.site() ?? Infinity;
      const waitMs = callers.isKnown(secret) ? 0 : refused.waitMs(ctx.ip, limit);
      if (waitMs > 0) throw tooManyRequests(ctx, { limit, remaining: 0, resetMs: waitMs });
      const caller = await callers.find(secret, () => refused.note(ctx.ip));
      if (caller && isWithinCidrs(ctx.ip, caller.token.bound_cidrs)) ctx.state['caller'] = caller;
    }
    const named = ctx.get('x-namespace') || ctx.get('x-vault-namespace');
    const path = named.split('/').filter(Boolean).join('/');
    ctx.state['namespace'] = await findNamespace(services.db, path === 'root' ? '' : path);
    try {
      await next();
    } finally {
      // Before the answer is sent: who has it finds the change in force here. The path is known by now from its namespace on.
      if (!READS.has(ctx.method) && RIGHTS.test(ctx.state['path'] as string)) callers.forget();
    }
  };
}

/** The token a request shows; undefined where it shows none. */
export function presentedToken(header: (name: string) => string): string | undefined {
  return bearer(header('authorization')) ?? (header('x-vault-token') || undefined);
}

function bearer(header: string): string | undefined {
  return /^bearer +(\S+)$/i.exec(header)?.[1];
}
