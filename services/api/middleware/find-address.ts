import type { Middleware } from 'koa';
import { forwardedAddress } from '../access/client-address.ts';

/**
 * Lets `ctx.ip` be an address, whatever a proxy has sent: a port would make each connection another client. What is no
 * address counts as the address of the connection, so that nobody escapes the limits by it.
 */
export function findAddress(): Middleware {
  return (ctx, next) => {
    const [forwarded] = ctx.ips;
    if (forwarded !== undefined)
      ctx.request.ip = forwardedAddress(forwarded) ?? ctx.req.socket.remoteAddress ?? '';
    return next();
  };
}
