import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import type { ApiServices } from '../services.ts';

/** Gives every request an id (the caller's where it is sane) and when it is answered writes one summary line and counts it. */
export function identify({ log, metrics }: Pick<ApiServices, 'log' | 'metrics'>): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const asked = ctx.get('x-request-id');
    const requestId = /^[A-Za-z0-9._-]{1,128}$/.test(asked) ? asked : randomUUID();
    ctx.state['requestId'] = requestId;
    ctx.set('X-Request-Id', requestId);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    try {
      await next();
    } finally {
      const milliseconds = performance.now() - started;
      // The pattern, never the path: a path may name anything.
      const route = String(ctx.state['route'] ?? 'none');
      metrics.requests.inc({ route, status: String(ctx.status) });
      metrics.requestSeconds.observe({ route }, milliseconds / 1000);
      log.info(
        {
          requestId,
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
