import type { Middleware } from 'koa';

/** Tells caches not to keep answers, and browsers not to guess another content type. */
export function setSecurityHeaders(): Middleware {
  return (ctx, next) => {
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    return next();
  };
}
