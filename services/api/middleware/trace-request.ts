import type { Middleware } from 'koa';
import { isTracing, traceFrom, withSpan } from '../../../libs/tracing/trace.ts';

/** Makes a request a span, of the caller's trace where it sends one; what it sends to workers belongs to the same trace. */
export function traceRequest(): Middleware {
  return (ctx, next) => {
    if (!isTracing()) return next();
    return withSpan('request', { kind: 'server', parent: traceFrom(ctx.headers) }, async (span) => {
      try {
        await next();
      } finally {
        // The pattern, never the path: a path may name anything.
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
