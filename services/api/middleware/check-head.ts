import type { Context as KoaContext, Middleware } from 'koa';
import { LIMITS, requireWithin } from '../limits.ts';
import { badRequest, RequestError } from '../../../libs/errors/request-error.ts';

/**
 * Refuses heads that Node would otherwise refuse itself, without a request id and not in our format. Also refuses
 * addresses that cannot be read, and queries with more parameters than Node would parse.
 */
export function checkHead(): Middleware {
  return (ctx, next) => {
    const { httpVersion, headers, rawHeaders } = ctx.req;
    if (!isReadable(ctx)) throw badRequest('the request target cannot be read: send only a path');
    requireWithin(LIMITS.queryParameters, ctx.querystring.split('&').length);
    // A proxy may have decided by the other one.
    const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && /^host$/i.test(name));
    if (hosts.length > 1) throw badRequest('the header Host is there more than once');
    if (httpVersion !== '1.1') return next();
    if (headers.host === undefined) throw badRequest('the header Host is missing');
    if (headers.expect === undefined || /\b100-continue\b/i.test(headers.expect)) return next();
    throw new RequestError('expectation_failed', ['the only supported value of Expect is 100-continue']);
  };
}

function isReadable(ctx: KoaContext): boolean {
  try {
    return typeof ctx.path === 'string';
  } catch {
    return false;
  }
}
