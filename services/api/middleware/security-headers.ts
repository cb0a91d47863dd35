import type { Middleware } from 'koa';

/** Keeps answers out of caches, and browsers from guessing another type. */
export function setSecurityHeaders(): Middleware {
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    return next();
  };
}
