import type { Middleware } from 'koa';
import type { ApiServices } from '../services.ts';

/** Writes one summary line for every answered request, and counts it. */
export function logAccess({ log, metrics }: Pick<ApiServices, 'log' | 'metrics'>): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    try {
      await next();
    } finally {
      const milliseconds = performance.now() - started;
      // We log the pattern of the route, never the path: a path may contain anything.
      const route = String(ctx.state['route'] ?? 'none');
      metrics.requests.inc({ route, status: String(ctx.status) });
      metrics.requestSeconds.observe({ route }, milliseconds / 1000);
      log.info(
        {
          requestId: ctx.state['requestId'],
          method: ctx.method,
          route,
          status: ctx.status,
          ms: Math.round(milliseconds * 10) / 10,
          accessor: ctx.state['caller']?.token.accessor,
          namespace: ctx.state['namespace']?.id,
        },
        'request',
      );
    }
  };
}
