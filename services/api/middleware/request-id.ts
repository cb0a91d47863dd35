import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';

/** Gives every request an id: the caller's `X-Request-Id` if it is short and plain, otherwise a new one. */
export function assignRequestId(): Middleware {
  return (ctx, next) => {
    const id = ctx.get('x-request-id');
    const requestId = /^[A-Za-z0-9._-]{1,128}$/.test(id) ? id : randomUUID();
    ctx.state['requestId'] = requestId;
    ctx.set('X-Request-Id', requestId);
    return next();
  };
}
