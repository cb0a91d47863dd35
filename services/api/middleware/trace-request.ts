import type { Middleware } from 'koa';
import { isTracing, traceFrom, withSpan } from '../../../libs/tracing/trace.ts';

/**
 * Makes each request a span, in the caller's trace if the caller sends one. Messages to workers belong to the same trace.
 */
export function traceRequest(): Middleware {
  return (ctx, next) => {
    if (!isTracing()) return next();
    return withSpan('request', { kind: 'server', parent: traceFrom(ctx.headers) }, async (span) => {
      try {
        await next();
      } finally {
        // We record the pattern of the route, never the path: a path may contain anything.
        const route = String(ctx.state['route'] ?? 'none');
        span.updateName(route);
        span.setAttributes({
          'http.request.method': ctx.method,
          'http.route': route,
          'http.response.status_code': ctx.status,
          'sealift.request_id': String(ctx.state['requestId']),
        });
      }
    });
  };
}
