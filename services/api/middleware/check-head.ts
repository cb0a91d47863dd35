import type { Middleware } from 'koa';
import { badRequest, RequestError } from '../../../libs/errors/request-error.ts';

/** Refuses what Node would refuse by itself, without a request id and our shape: no host, or an expectation that nobody meets. */
export function checkHead(): Middleware {
  return ({ req: { httpVersion, headers } }, next) => {
    if (httpVersion !== '1.1') return next();
    if (headers.host === undefined) throw badRequest('the header Host is missing');
    if (headers.expect === undefined || /\b100-continue\b/i.test(headers.expect)) return next();
    throw new RequestError(417, 'expectation_failed', ['the only expectation that is met is 100-continue']);
  };
}
